// Risk: a name that the API would reject is stored by an operator's command, or a good one is rejected.
import { expect, test } from 'vitest';
import { readName } from './command.ts';

test('a name has 1 to 200 characters, without the space around it', () => {
  expect(readName(' Acme ')).toBe('Acme');
  expect(readName('x'.repeat(200))).toHaveLength(200);
  expect(() => readName(' ')).toThrow('--name has 0 characters instead of 1 to 200');
  expect(() => readName('x'.repeat(201))).toThrow('--name has 201 characters instead of 1 to 200');
});
