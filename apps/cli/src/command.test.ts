// Risk: a command stores a name that the API would reject, or an error has no remedy.
import { expect, test } from 'vitest';
import { explainOldData, readName } from './command.ts';

test('a name has 1 to 200 characters, without the space around it', () => {
  expect(readName(' Acme ')).toBe('Acme');
  expect(readName('x'.repeat(200))).toHaveLength(200);
  expect(() => readName(' ')).toThrow('--name has 0 characters instead of 1 to 200');
  expect(() => readName('x'.repeat(201))).toThrow('--name has 201 characters instead of 1 to 200');
});

test('data of an older version is explained with the way to a new folder; other errors stay', () => {
  const old = Object.assign(new Error('Run finhook 0.2.0 first.'), { name: 'NotMigratedError' });
  expect(explainOldData(old, '/home/.finhook')).toMatchObject({
    name: 'ExpectedError',
    message: expect.stringMatching(/^Run finhook 0\.2\.0 first\.\n.*FINHOOK_DATA_DIR=\/home\/\.finhook-new\.$/),
  });
  const other = new Error('other');
  expect(explainOldData(other, '/home/.finhook')).toBe(other);
});
