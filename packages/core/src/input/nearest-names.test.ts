// Risk: a misspelled name is answered with an unrelated suggestion.
import { allEventTypes } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { nearestNames } from './nearest-names.ts';

const fields = ['as_of', 'balance_cents', 'currency', 'source', 'connection_id'];

test.each([
  ['balance', ['balance_cents']],
  ['balanceCents', ['balance_cents']],
  ['conection_id', ['connection_id']],
  ['Currency', ['currency']],
  ['amount', []],
  ['note', []],
  ['id', []],
  ['x'.repeat(500), []],
])('a field %j is probably one of %j', (wrong, expected) => {
  expect(nearestNames(wrong, fields)).toEqual(expected);
});

test.each([
  ['bank.balance.update', ['bank.balance.updated']],
  ['bank_balance_updated', ['bank.balance.updated']],
  ['company.create', ['company.created']],
  ['invoice.paid', []],
  ['*', []],
])('an event type %j is probably one of %j', (wrong, expected) => {
  expect(nearestNames(wrong, allEventTypes).slice(0, 1)).toEqual(expected);
});
