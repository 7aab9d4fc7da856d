// Risk: what a company owes or may not spend counts as its cash, and the cash seems to last longer.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import { addDays } from '../../time/calendar.ts';
import { createConnection } from '../bank/connections/create.ts';
import { disconnectConnection } from '../bank/connections/disconnect.ts';
import { createCompany } from '../companies/create.ts';
import { getRunway } from '../financials/figures/get-figures.ts';
import { getSettings, updateSettings } from '../financials/figures/settings.ts';
import { upsertCashBalance } from './balances/upsert.ts';
import { getCashOnHand } from './cash-on-hand.ts';
import { getCashHistory } from './history.ts';

type Input = Parameters<typeof upsertCashBalance>[1];
type AccountType = NonNullable<Input['account_type']>;

const today = '2026-11-25';
const fixture = useFixture(createTestClock(`${today}T15:00:00Z`));
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Types Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

/** Amounts are whole units. */
const post = (connection_id: string | null, amount: number, more: Partial<Input> = {}) =>
  upsertCashBalance(context, {
    company_id,
    as_of: today,
    balance_cents: amount * 100,
    currency: 'USD',
    connection_id,
    ...more,
  });
const setTypes = (types: Record<string, AccountType>) =>
  updateSettings(context, {
    company_id,
    accounts: Object.entries(types).map(([connection_id, account_type]) => ({ connection_id, account_type })),
  });
const cash = async () => {
  const { lines, excluded } = await getCashOnHand(context, { company_id });
  return {
    cash: lines.map(({ balance_cents, investment_cents }) => [balance_cents, investment_cents]),
    excluded: excluded.map(({ connection_id, reason, owed_cents }) => [connection_id, reason, owed_cents]),
  };
};
const toldCash = async () => {
  const events = (await readFeed(context, 'bank.balance.updated')).filter((event) => event.company_id === company_id);
  return events.map(({ data }) => data['cash_on_hand']);
};

test('a card’s balance is owed, whatever its sign', async () => {
  await post('bank', 120_000);
  await setTypes({ card: 'credit_card' });
  const owed = { cash: [[12_000_000, 0]], excluded: [['card', 'credit_card', 3_000_000]] };
  await post('card', 30_000);
  expect(await cash()).toEqual(owed);
  await post('card', -30_000);
  expect(await cash()).toEqual(owed);
});

test('the sign of most balances of the last 90 days means “owed”, on a tie that of the newest', async () => {
  await setTypes({ card: 'credit_card', loan: 'loan', cleared: 'credit_card' });
  for (let day = 1; day <= 60; day++) await post('card', -30_000, { as_of: addDays(today, -day) });
  await post('card', 500);
  await post('loan', 400_000, { as_of: addDays(today, -91) });
  await post('loan', 400_000, { as_of: addDays(today, -90) });
  await post('loan', 400_000, { as_of: addDays(today, -89) });
  await post('loan', -390_000);
  await post('cleared', 0);
  expect((await cash()).excluded).toEqual([
    ['card', 'credit_card', -50_000],
    ['cleared', 'credit_card', 0],
    ['loan', 'loan', 39_000_000],
  ]);
});

test('restricted money is no cash, investments are a part of cash', async () => {
  await post('bank', 900_000);
  await post('escrow', 300_000, { account_type: 'restricted' });
  await post('brokerage', 5_000_000, { account_type: 'investment' });
  expect(await cash()).toEqual({
    cash: [[590_000_000, 500_000_000]],
    excluded: [['escrow', 'restricted', undefined]],
  });
});

test('the type in the settings wins over the posted one, with a warning', async () => {
  const codes = async (account_type: AccountType) =>
    (await post('line', 400, { account_type })).warnings.map(({ code, pointer }) => [code, pointer]);
  expect(await codes('loan')).toEqual([]);
  await setTypes({ line: 'restricted' });
  expect(await codes('restricted')).toEqual([]);
  expect(await codes('loan')).toEqual([['account_type_overridden', '/account_type']]);
  expect((await cash()).excluded).toEqual([['line', 'restricted', undefined]]);
  await updateSettings(context, { company_id, accounts: null });
  expect((await cash()).excluded).toEqual([['line', 'loan', 40_000]]);
});

test('the post that named a type last counts, whatever its day, and later posts may omit the type', async () => {
  await post('a', 1, { account_type: 'loan' });
  await post('a', 2, { as_of: '2026-01-01', account_type: 'credit_card' });
  expect(await post('a', 3)).toMatchObject({ result: 'updated', account_type: null });
  expect((await cash()).excluded).toEqual([['a', 'credit_card', 300]]);
  expect(await post('a', 3, { account_type: 'depository' })).toMatchObject({ result: 'updated' });
  expect(await cash()).toEqual({ cash: [[300, 0]], excluded: [] });
  await post('a', 3, { account_type: 'loan', dry_run: true });
  expect((await cash()).cash).toEqual([[300, 0]]);
});

test('an event has the cash with the types of its own post and of earlier ones', async () => {
  await post('bank', 10);
  await post('card', 5);
  await post('card', 6, { account_type: 'credit_card' });
  await post('card', 7);
  await post('card', 8, { account_type: 'depository' });
  await setTypes({ card: 'loan' });
  await post('card', 9, { account_type: 'depository' });
  const sums = (await toldCash()).map((lines) => Object(lines)[0]?.balance_cents);
  expect(sums).toEqual([1_000, 1_500, 1_000, 1_000, 1_800, 1_000]);
});

test('the events of concurrent posts have the cash of one possible order', async () => {
  await post('bank', 10);
  await Promise.all([post('card', 5), post('card', 6, { account_type: 'credit_card' }), post('bank', 20)]);
  expect((await toldCash()).at(-1)).toMatchObject([{ balance_cents: 2_000 }]);
  expect((await cash()).cash).toEqual([[2_000, 0]]);
});

test('the history contains only cash, also with a card that was disconnected later', async () => {
  const { id: card } = await createConnection(context, { company_id, provider: 'ledger' });
  await post('bank', 100, { as_of: '2026-11-20' });
  await post(card, 30, { as_of: '2026-11-20', account_type: 'credit_card' });
  await post('escrow', 7, { as_of: '2026-11-20', account_type: 'restricted' });
  const sums = async () =>
    (await getCashHistory(context, { company_id, days: 3 })).lines.flatMap(({ points }) =>
      points.map(({ balance_cents }) => balance_cents),
    );
  expect(await sums()).toEqual([10_000, 10_000, 10_000]);
  await disconnectConnection(context, { connection_id: card });
  expect(await sums()).toEqual([10_000, 10_000, 10_000]);
  expect((await cash()).excluded).toEqual([
    [card, 'disconnected', undefined],
    ['escrow', 'restricted', undefined],
  ]);
});

test('burn from balances excludes what is owed', async () => {
  await post('bank', 130_000, { as_of: addDays(today, -60) });
  await post('bank', 100_000);
  await post('loan', 0, { as_of: addDays(today, -60), account_type: 'loan' });
  await post('loan', 20_000);
  expect((await getRunway(context, { company_id })).headline).toMatchObject({
    basis: 'balance_delta',
    cash_cents: 10_000_000,
    net_burn_cents: 1_521_844,
  });
});

test('settings set a type per connection, `none` for rows without one, and null removes it', async () => {
  await post(null, 50);
  const set = await updateSettings(context, {
    company_id,
    accounts: [
      { connection_id: 'none', account_type: 'loan' },
      { connection_id: 'b', account_type: 'loan' },
      { connection_id: 'a', account_type: 'investment' },
      { connection_id: 'b', account_type: 'restricted' },
    ],
  });
  const accounts = [
    { connection_id: 'none', account_type: 'loan' },
    { connection_id: 'a', account_type: 'investment' },
    { connection_id: 'b', account_type: 'restricted' },
  ];
  expect(set.accounts).toEqual(accounts);
  expect((await getSettings(context, { company_id })).accounts).toEqual(accounts);
  expect((await cash()).excluded).toEqual([[null, 'loan', 5_000]]);
  expect((await updateSettings(context, { company_id, accounts: null })).accounts).toEqual([]);
});
