// Risk: a secret is committed unnoticed, or builds fail because of samples.
import { expect, test } from 'vitest';
import { findSecrets } from './find-secrets.ts';

const random = 'q8Zr2Lk0vT5xWb7NcJ4mYf1HsD6pGa';
const kindsIn = (text: string) => findSecrets(text).map(({ kind }) => kind);

test('secrets of this service and of others are found, with their line, and are not repeated whole', () => {
  const secrets: [string, string][] = [
    [['sk', 'live', `${random}1dA116`].join('_'), 'API key of finhook'],
    [['whsec', `${random}Q+/=`].join('_'), 'webhook secret'],
    [`-----BEGIN RSA ${'PRIVATE'} KEY-----`, 'private key'],
    [`AKIA${'Q'.repeat(16)}`, 'AWS access key'],
    [['ghp', `${random}abcdef`].join('_'), 'GitHub token'],
    [['npm', `${random}abcdef`].join('_'), 'npm token'],
    [['xoxb', '1234567890', 'abc'].join('-'), 'Slack token'],
    [`postgres://app:${random}@db.example.com/x`, 'password in a URL'],
  ];
  for (const [text, kind] of secrets) expect(kindsIn(`first\nconst a = '${text}';`), kind).toEqual([kind]);
  const [found] = findSecrets(`a\nb\n${secrets[0]?.[0]}`);
  expect(found).toMatchObject({ line: 3 });
  expect(found?.start.length).toBeLessThan(16);
});

test('a key of this service counts by its checksum, so that samples do not', () => {
  expect(kindsIn(['sk', 'test', `${random}000000`].join('_'))).toEqual([]);
  expect(kindsIn(`whsec_${'A'.repeat(32)}`)).toEqual([]);
  expect(kindsIn('postgres://user:password@localhost/finhook and https://example.com/a:b@c')).toEqual([]);
});
