// Risk: a connection can't be distinguished from another, or has no name.
import { expect, test } from 'vitest';
import { connectionName } from './connection-name.ts';

const connection = {
  provider: 'sandbox',
  institution_name: 'Example Bank',
  account_name: 'Operating',
  account_last4: '4321',
};

test('a connection is named by its institution, account and last digits, else by its provider', () => {
  expect(connectionName(connection)).toBe('Example Bank · Operating ····4321');
  expect(connectionName({ ...connection, institution_name: null })).toBe('Operating ····4321');
  const bare = { ...connection, institution_name: null, account_name: null, account_last4: null };
  expect(connectionName(bare)).toBe('sandbox');
});
