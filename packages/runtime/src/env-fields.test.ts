// Risk: the log of a start shows the wrong database, or its password.
import { expect, test } from 'vitest';
import { databaseAddress } from './env-fields.ts';

test.each([
  ['postgres://finhook:s3cret@db.internal:6432/finhook?sslmode=verify-full', 'db.internal:6432/finhook'],
  ['postgres://finhook:s3cret@db.internal/finhook', 'db.internal:5432/finhook'],
  ['postgres://finhook:s3cret@[fd00::1]:5433/finhook', '[fd00::1]:5433/finhook'],
  ['postgres://finhook:s3cret@ignored/finhook?host=db.internal&port=6432', 'db.internal:6432/finhook'],
  ['postgres://finhook:s3cret@ignored/finhook?host=%2Frun%2Fpostgresql', '/run/postgresql:5432/finhook'],
])('the address in %s', (url, address) => {
  expect(databaseAddress(url)).toBe(address);
});
