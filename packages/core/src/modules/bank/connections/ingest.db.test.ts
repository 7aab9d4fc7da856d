// Risk: rows are stored under another account's or a disconnected connection, or a disconnected one still counts as cash.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import type { Context } from '../../../verbs/context.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { createCompany } from '../../companies/create.ts';
import { ingestTransactions } from '../transactions/ingest.ts';
import { getConnection, listConnections } from './connection.ts';
import { createConnection } from './create.ts';
import { disconnectConnection } from './disconnect.ts';
import { setConnectionSecret } from './set-secret.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
let context: Context;
let company_id: string;
beforeEach(async () => {
  ({ context, companyId: company_id } = await fixture.otherAccount());
});

const connect = async (more: object = {}) =>
  (await createConnection(context, { company_id, provider: 'ledger', ...more })).id;
const end = (connection_id: string) => disconnectConnection(context, { connection_id });
const balance = (connection_id: string | null, more: object = {}) =>
  upsertCashBalance(context, {
    company_id,
    as_of: '2026-01-10',
    balance_cents: 5,
    currency: 'USD',
    connection_id,
    ...more,
  });
const row = (external_id: string, connection_id: string | null, more: object = {}) => ({
  external_id,
  posted_at: '2026-01-10T00:00:00Z',
  amount_cents: 1,
  connection_id,
  ...more,
});
const transactions = (rows: ReturnType<typeof row>[], on_error?: 'skip') =>
  ingestTransactions(context, { company_id, transactions: rows, ...(on_error ? { on_error } : {}) });
const countRows = async () => {
  const [counts] = await context.database.query<{ balances: number; transactions: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM cash_balance WHERE company_id = $1) AS balances,
            (SELECT count(*)::int FROM bank_transaction WHERE company_id = $1) AS transactions,
            (SELECT count(*)::int FROM event WHERE company_id = $1
             AND type IN ('bank.balance.updated', 'bank.transaction.posted')) AS events`,
    [company_id],
  );
  return counts;
};
const nothing = { balances: 0, transactions: 0, events: 0 };

test('a connection_id that begins with conn_ must be one of this company', async () => {
  const other = await fixture.otherAccount();
  const foreign = (await createConnection(other.context, { company_id: other.companyId, provider: 'x' })).id;
  const sibling = await createCompany(context, { name: 'Sibling' });
  const siblings = await connect({ company_id: sibling.id });
  for (const connection_id of ['conn_nobody', 'conn_', foreign, siblings]) {
    await expect(balance(connection_id)).rejects.toMatchObject({
      fields: [{ pointer: '/connection_id', code: 'connection_not_found' }],
    });
    await expect(transactions([row('a', 'label'), row('b', connection_id)])).rejects.toMatchObject({
      fields: [{ pointer: '/transactions/1/connection_id', code: 'connection_not_found' }],
    });
  }
  expect(await countRows()).toEqual(nothing);
  for (const label of ['Conn_1', 'conn', 'acct-conn_1']) await balance(label);
});

test('with on_error=skip the rows of unknown connections are reported and the others stored', async () => {
  const id = await connect();
  const rows = [row('a', id), row('b', 'conn_nobody'), row('c', null), row('b', 'conn_nobody'), row('d', 'conn_x')];
  const answer = await transactions(rows, 'skip');
  expect(answer).toMatchObject({ received: 5, inserted: 2, skipped: 0, failed: 3 });
  expect(answer.errors.map(({ index, code, pointer }) => [index, code, pointer])).toEqual([
    [1, 'connection_not_found', '/transactions/1/connection_id'],
    [3, 'connection_not_found', '/transactions/3/connection_id'],
    [4, 'connection_not_found', '/transactions/4/connection_id'],
  ]);
  expect(answer.transactions.map(({ external_id }) => external_id)).toEqual(['a', 'c']);
});

test('all errors of a request are reported together, those of connections and those of dates', async () => {
  const id = await connect();
  const rows = [row('a', id, { posted_at: '1969-01-01T00:00:00Z' }), row('b', 'conn_nobody'), row('c', id)];
  await expect(transactions(rows)).rejects.toMatchObject({
    fields: [{ pointer: '/transactions/0/posted_at' }, { pointer: '/transactions/1/connection_id' }],
  });
  expect(await countRows()).toEqual(nothing);
});

test('a disconnected connection accepts no rows, whatever on_error is', async () => {
  const id = await connect();
  await end(id);
  const calls = [
    () => balance(id),
    () => transactions([row('a', id)]),
    () => transactions([row('b', null), row('a', id)], 'skip'),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ code: 'connection_disconnected', status: 409 });
  expect(await countRows()).toEqual(nothing);
});

test('the first balance activates a pending connection, and so do the first transactions', async () => {
  const [one, two, three] = [await connect(), await connect(), await connect()];
  const before = await getConnection(context, { connection_id: one });
  await balance(one);
  await transactions([row('a', two)]);
  const states = await Promise.all(
    [one, two, three].map(async (connection_id) => (await getConnection(context, { connection_id })).status),
  );
  expect(states).toEqual(['active', 'active', 'pending']);
  expect((await getConnection(context, { connection_id: one })).updated_at >= before.updated_at).toBe(true);
  const [first] = await readFeed(context, 'bank.balance.updated');
  expect(first?.data).toMatchObject({ connection_id: one, result: 'created' });
});

test('concurrent first rows are all stored', async () => {
  const id = await connect();
  const days = Array.from({ length: 12 }, (_, i) => `2026-01-${String(i + 1).padStart(2, '0')}`);
  await Promise.all([
    ...days.map((as_of) => balance(id, { as_of })),
    ...days.map((day) => transactions([row(day, id)])),
  ]);
  expect(await countRows()).toEqual({ balances: 12, transactions: 12, events: 24 });
  expect((await getConnection(context, { connection_id: id })).status).toBe('active');
});

test('the record reports when data of each kind last arrived', async () => {
  const id = await connect();
  const { updated_at } = await balance(id);
  await balance(id, { as_of: '2025-12-01' });
  await transactions([row('a', id)]);
  const { freshness } = await getConnection(context, { connection_id: id });
  expect(freshness).toEqual({ balance: updated_at, transactions: expect.any(String), statements: null });
});

test('a balance dated after tomorrow affects neither the freshness nor the currency of rows, until its day', async () => {
  // In New York, it is the evening of the tenth.
  const clock = createTestClock('2026-01-11T02:00:00Z');
  context = { ...context, clock };
  company_id = (await createCompany(context, { name: 'Ahead Inc', timezone: 'America/New_York' })).id;
  const id = await connect();
  await balance(id, { as_of: '2026-01-12', currency: 'JPY' });
  const read = async () => {
    const one = await getConnection(context, { connection_id: id });
    const { data } = await listConnections(context, { company_id, limit: 1, order: 'asc', include: 'total_count' });
    expect(data).toEqual([one]);
    return one.freshness.balance;
  };
  expect(await read()).toBeNull();
  clock.advance(60_000);
  const { updated_at } = await balance(id, { as_of: '2026-01-11', currency: 'GBP' });
  expect(await read()).toBe(updated_at);
  const currencyOf = async (external_id: string) =>
    (await transactions([row(external_id, id)])).transactions[0]?.currency;
  expect(await currencyOf('a')).toBe('GBP');
  clock.set('2026-01-11T05:00:00Z');
  expect([await read(), await currencyOf('b')]).toEqual(['2026-01-11T02:00:00.000Z', 'JPY']);
  const secret = await setConnectionSecret(context, { connection_id: id, secret: 'a-token-of-some-length' });
  expect([secret.freshness.balance, (await end(id)).freshness.balance]).toEqual([await read(), await read()]);
});

test('a registered connection’s currency takes precedence over that of its latest balance', async () => {
  const [euros, silent] = [await connect({ currency: 'EUR' }), await connect()];
  for (const id of [euros, silent]) await balance(id, { currency: 'GBP' });
  const answer = await transactions([
    row('a', euros),
    row('b', euros, { currency: 'JPY' }),
    row('c', silent),
    row('d', null),
  ]);
  expect(answer.transactions.map(({ currency, currency_inferred }) => [currency, currency_inferred])).toEqual([
    ['EUR', true],
    ['JPY', false],
    ['GBP', true],
    ['USD', true],
  ]);
});

test('cash on hand excludes disconnected connections, in the response and in the event', async () => {
  const [kept, ended] = [await connect(), await connect()];
  await balance(kept, { balance_cents: 100 });
  await balance(ended, { balance_cents: 1_000 });
  await balance('label', { balance_cents: 10 });
  const line = async () => {
    const { lines } = await getCashOnHand(context, { company_id });
    return lines.map(({ currency, balance_cents }) => ({ currency, balance_cents }));
  };
  expect(await line()).toEqual([{ currency: 'USD', balance_cents: 1_110 }]);
  await end(ended);
  expect(await line()).toEqual([{ currency: 'USD', balance_cents: 110 }]);
  await balance('label', { balance_cents: 20 });
  expect(await line()).toEqual([{ currency: 'USD', balance_cents: 120 }]);
  const events = await readFeed(context, 'bank.balance.updated');
  expect(events.at(-1)?.data['cash_on_hand']).toEqual([{ currency: 'USD', balance_cents: 120 }]);
});

test('rows concurrent with the disconnection are stored before it or rejected', async () => {
  for (let round = 0; round < 6; round++) {
    const id = await connect();
    if (round % 2 === 0) await balance(id, { as_of: '2025-01-01' });
    const days = Array.from({ length: 15 }, (_, i) => `2026-01-${String(i + 1).padStart(2, '0')}`);
    const posts: (() => Promise<unknown>)[] = days.flatMap((as_of, i) => [
      () => balance(id, { as_of }),
      () => transactions([row(`${round}-${i}`, id), row(`${round}-${i}-label`, null)]),
    ]);
    const outcomes = Promise.allSettled(posts.map((post, i) => waitTurns(i % 5).then(post)));
    await waitTurns(round);
    await end(id);
    for (const outcome of await outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'connection_disconnected' });
    }
    const feed = await readFeed(context);
    const last = feed.findIndex(({ type, data }) => type === 'bank.connection.disconnected' && data['id'] === id);
    const late = feed.slice(last + 1).filter((event) => JSON.stringify(event.data).includes(id));
    expect(late).toEqual([]);
    const answered = (await outcomes).filter(({ status }) => status === 'fulfilled').length;
    const [stored] = await context.database.query<{ rows: number }>(
      `SELECT (SELECT count(*) FROM cash_balance WHERE connection_id = $1 AND as_of >= '2026-01-01')::int
            + (SELECT count(*) FROM bank_transaction WHERE connection_id = $1)::int AS rows`,
      [id],
    );
    expect(stored?.rows).toBe(answered);
  }
});

/** Lets the other work run a few round trips ahead. */
async function waitTurns(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await context.database.query('SELECT 1');
}

test.each([
  ['balance', (id: string) => balance(id)],
  ['batch', (id: string) => transactions([row('a', id)])],
])('a %s that meets the end of its connection waits for it, and is rejected', async (_, post) => {
  const id = await connect();
  await balance(id, { as_of: '2025-01-01' });
  await raw.query('BEGIN');
  await raw.query('SELECT id FROM bank_connection WHERE id = $1 FOR UPDATE', [id]);
  await raw.query("UPDATE bank_connection SET status = 'disconnected', secret = NULL WHERE id = $1", [id]);
  const posting = post(id).catch((error: unknown) => error);
  await waitForBlocked(raw);
  await raw.query('COMMIT');
  expect(await posting).toMatchObject({ code: 'connection_disconnected' });
});

test('the disconnection waits for rows in flight', async () => {
  const id = await connect();
  await raw.query('BEGIN');
  await raw.query('SELECT id FROM bank_connection WHERE id = $1 FOR KEY SHARE', [id]);
  const ending = end(id);
  await waitForBlocked(raw);
  await raw.query('COMMIT');
  expect((await ending).status).toBe('disconnected');
});
