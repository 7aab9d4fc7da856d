// Risk: an account that somebody excluded or typed is lost when another one is changed, or one can't be excluded or typed.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { offeredAccounts, withAccountTypes, withoutPair } from './accounts.view.ts';

type Settings = Parameters<typeof withAccountTypes>[0];
const names = new Map(
  ['operating', 'conn_1'].map((id) => [id, { id, name: `Bank ${id}`, registered: true, replaces: null }]),
);

test('stored accounts come first and stay, although no row has them any more', () => {
  expect(offeredAccounts(names, ['none', 'conn_1', 'closed'])).toEqual([
    ['none', 'Unassigned'],
    ['conn_1', 'Bank conn_1'],
    ['closed', 'closed'],
    ['operating', 'Bank operating'],
  ]);
});

test('an account that only transactions have is offered once, after those with a name', () => {
  const offered = offeredAccounts(names, ['visa'], ['card', 'conn_1', 'visa']).map(([id]) => id);
  expect(offered).toEqual(['visa', 'operating', 'conn_1', 'card']);
});

test('a replaced account, which has the name of the new one, is marked', () => {
  const pair = new Map(
    ['old', 'new'].map((id) => [
      id,
      { id, name: 'Operating', registered: true, replaces: id === 'new' ? 'old' : null },
    ]),
  );
  expect(offeredAccounts(pair, []).map(([, name]) => name)).toEqual(['Operating (replaced)', 'Operating']);
});

test.each([
  [
    'loan',
    [
      ['card', 'credit_card'],
      ['conn_1', 'loan'],
    ],
  ],
  ['', [['card', 'credit_card']]],
  ['nonsense', [['card', 'credit_card']]],
])('the type %j of an account replaces its earlier one, and leaves the others', (type, expected) => {
  const stored = partial<Settings>({
    accounts: [
      { connection_id: 'conn_1', account_type: 'restricted' },
      { connection_id: 'card', account_type: 'credit_card' },
    ],
  });
  const { accounts = [] } = withAccountTypes(stored, new Map([['conn_1', type]]));
  expect(accounts?.map(({ connection_id, account_type }) => [connection_id, account_type])).toEqual(expected);
});

test('a pair is removed in either order, and alone', () => {
  const stored = partial<Settings>({
    distinct_connections: [
      ['a', 'b'],
      ['b', 'c'],
      ['b', 'a'],
    ],
  });
  expect(withoutPair(stored, ['a', 'b'])).toEqual({ distinct_connections: [['b', 'c']] });
});
