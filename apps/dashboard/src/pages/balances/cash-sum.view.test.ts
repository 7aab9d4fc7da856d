// Risk: the sum below the balances is not the cash that the figure on another page shows.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { type Balance, cashSum, type Excluded, isAllCash } from './cash-sum.view.ts';

const balance = (connection_id: string | null, balance_cents: number, currency = 'USD') =>
  partial<Balance>({ connection_id, balance_cents, currency });
const excluded = (connection_id: string, reason: Excluded['reason']) => partial<Excluded>({ connection_id, reason });
const balances = [balance('bank', 500), balance(null, -20), balance('berlin', 7, 'EUR'), balance('card', 90)];

test('accounts that are no cash are counted, and their balances are in no sum', () => {
  expect(cashSum(balances, [excluded('card', 'credit_card')], true)).toEqual({
    cash: [
      ['EUR', 7n],
      ['USD', 480n],
    ],
    leftOut: 1,
  });
});

test('an account that is disconnected today may have counted on an earlier day: there is no sum', () => {
  const left = [excluded('berlin', 'disconnected'), excluded('card', 'credit_card')];
  expect(cashSum(balances, left, true)).toEqual({ cash: [['USD', 480n]], leftOut: 2 });
  expect(cashSum(balances, left, false)).toBeUndefined();
});

test('sums are all cash if each currency has its amount on hand, and no other', () => {
  type Line = Parameters<typeof isAllCash>[1]['lines'][number];
  const lines = (...amounts: Array<readonly [string, number]>) =>
    amounts.map(([currency, balance_cents]) => partial<Line>({ currency, balance_cents }));
  const sum = {
    cash: [
      ['EUR', 7n],
      ['USD', 480n],
    ] as const,
    leftOut: 1,
  };
  expect(isAllCash(sum, { lines: lines(['USD', 480], ['EUR', 7]) })).toBe(true);
  expect(isAllCash(sum, { lines: lines(['USD', 480], ['EUR', 8]) })).toBe(false);
  expect(isAllCash(sum, { lines: lines(['USD', 480], ['EUR', 7], ['GBP', 1]) })).toBe(false);
});
