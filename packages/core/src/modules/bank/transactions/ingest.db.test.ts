// Risk: transactions are stored twice, lost, or reported in an event that does not match the stored rows.
import type { BankTransactionInput } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getEvent } from '../../events/read.ts';
import { ingestTransactions } from './ingest.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Ingest Inc', base_currency: 'EUR' })).id;
});

const row = (external_id: string, more: Partial<BankTransactionInput> = {}): BankTransactionInput => ({
  external_id,
  posted_at: '2026-03-01T00:30:00Z',
  amount_cents: -100,
  ...more,
});
const post = (
  transactions: BankTransactionInput[],
  more: { on_error?: 'skip'; company_id?: string; context?: Context } = {},
) => {
  const { context: by = context, ...rest } = more;
  return ingestTransactions(by, { company_id: company, transactions, ...rest });
};
const storedRows = (companyId = company) =>
  context.database.query<{
    id: string;
    external_id: string;
    connection_id: string;
    posted_at: string;
    amount_cents: string;
  }>('SELECT * FROM bank_transaction WHERE company_id = $1 ORDER BY id', [companyId]);
const postedEvents = async () =>
  (await readFeed(context, 'bank.transaction.posted')).filter((event) => event.company_id === company);

test('the same key twice in one request is stored once, the first row wins', async () => {
  const answer = await post([row('a', { amount_cents: 1 }), row('b'), row('a', { amount_cents: 2 })]);
  expect(answer).toMatchObject({ received: 3, inserted: 2, skipped: 1, failed: 0, count: 2 });
  expect(answer.skipped_transactions).toEqual([
    {
      index: 2,
      external_id: 'a',
      connection_id: null,
      reason: 'duplicate_in_request',
      existing_id: answer.transactions[0]?.id,
      differs: ['amount_cents'],
    },
  ]);
  expect(answer.warnings).toMatchObject([{ code: 'duplicate_with_different_content', pointer: '/transactions/2' }]);
  expect((await storedRows()).map(({ external_id, amount_cents }) => [external_id, amount_cents])).toEqual([
    ['a', '1'],
    ['b', '-100'],
  ]);
});

test('20 concurrent equal requests store one row and report it once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post([row('same')])));
  expect(answers.map(({ inserted }) => inserted).filter((n) => n === 1)).toHaveLength(1);
  expect(answers.every(({ inserted, skipped }) => inserted + skipped === 1)).toBe(true);
  const rows = await storedRows();
  expect(rows).toHaveLength(1);
  for (const { skipped_transactions } of answers)
    for (const skip of skipped_transactions) expect(skip.existing_id).toBe(rows[0]?.id);
  const events = await postedEvents();
  expect(events).toHaveLength(20);
  expect(events.reduce((sum, { data }) => sum + Number(data['count']), 0)).toBe(1);
});

test('no connection is a value like any other, whether it is null or absent', async () => {
  const answer = await post([
    row('a'),
    row('a', { connection_id: null }),
    row('a', { connection_id: 'A', category: null }),
  ]);
  expect([answer.inserted, answer.skipped]).toEqual([2, 1]);
  const again = await post([row('a', { connection_id: null, description: null, currency: null, source: null })]);
  expect(again.skipped_transactions).toMatchObject([{ reason: 'duplicate', differs: [] }]);
  expect((await storedRows()).map(({ connection_id }) => connection_id)).toEqual(['', 'A']);
  expect(answer.transactions.map(({ connection_id }) => connection_id)).toEqual([null, 'A']);
});

test('an empty category or counterparty is stored, sent and compared as null', async () => {
  const nameless = { category: '', counterparty: '' };
  const answer = await post([row('a', nameless)]);
  expect(answer.transactions).toMatchObject([{ category: null, counterparty: null }]);
  expect(await storedRows()).toMatchObject([{ category: null, counterparty: null }]);
  expect((await postedEvents())[0]?.data['transactions']).toEqual(answer.transactions);
  for (const again of [row('a'), row('a', nameless), row('a', { category: null })])
    expect((await post([again])).skipped_transactions).toMatchObject([{ differs: [] }]);
});

test('ids are compared byte by byte', async () => {
  const ids = ['a', 'A', 'a ', ' a', 'é', 'e\u0301', 'ß', 'ss', 'ｱ', 'ア', 'a\t', '%', '_', '\\', "'", '"', '😀'];
  expect((await post(ids.map((id) => row(id)))).inserted).toBe(ids.length);
  expect((await post(ids.map((id) => row('k', { connection_id: id })))).inserted).toBe(ids.length);
  const again = await post(ids.map((id) => row(id)));
  expect(again.skipped_transactions.map(({ external_id }) => external_id)).toEqual(ids);
});

test('keys whose parts concatenate to the same text are different', async () => {
  expect((await post([row('bc', { connection_id: 'a' }), row('c', { connection_id: 'ab' })])).inserted).toBe(2);
});

test('overlapping batches in opposite orders all succeed, and each row is in the event of one of them', async () => {
  for (let round = 0; round < 5; round++) {
    const ids = Array.from({ length: 120 }, (_, i) => `${round}-${i}`);
    const orders = [ids, ids.toReversed(), [...ids.slice(60), ...ids.slice(0, 60)], ids.toReversed()];
    const answers = await Promise.all(orders.map((order) => post(order.map((id) => row(id)))));
    expect(answers.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(ids.length);
  }
  const told = (await postedEvents()).flatMap(({ data }) =>
    Object(data['transactions']).map(({ id }: { id: string }): string => id),
  );
  expect(told.toSorted()).toEqual((await storedRows()).map(({ id }) => id).toSorted());
});

test.each([
  ['a time too far ahead', { posted_at: '2099-01-01T00:00:00Z' }, '/transactions/1/posted_at', 'date_out_of_range'],
  ['a time before 1970', { posted_at: '1969-12-31T23:59:59Z' }, '/transactions/1/posted_at', 'date_out_of_range'],
  [
    'an unknown registered connection',
    { connection_id: 'conn_x' },
    '/transactions/1/connection_id',
    'connection_not_found',
  ],
] as const)('one row with %s rejects the request and nothing is stored', async (_, fault, pointer, code) => {
  const before = await readTables(raw);
  const error: unknown = await post([row('ok'), row('bad', fault), row('fine')]).catch(
    (rejection: unknown) => rejection,
  );
  expect(error).toMatchObject({ code: 'validation_failed', fields: [{ pointer, code }] });
  expect(error).toBeInstanceOf(DomainError);
  expect(changesBetween(before, await readTables(raw))).toEqual({});
});

test('with on_error=skip rows rejected by the API and by the verb are both counted, each once', async () => {
  const at = (index: number, field: string) => ({
    index,
    pointer: `/transactions/${index}/${field}`,
    code: 'required' as const,
    message: 'is required',
  });
  // Like the API: rows 1 and 3 of six are rejected, row 3 for two errors.
  const rows = {
    indexes: [0, 2, 4, 5],
    rejected: [at(1, 'amount_cents'), at(3, 'external_id'), at(3, 'amount_cents')],
  };
  const answer = await post([row('a'), row('a'), row('b', { connection_id: 'conn_x' }), row('c')], {
    on_error: 'skip',
    context: { ...context, rows },
  });
  expect(answer).toMatchObject({ received: 6, inserted: 2, skipped: 1, failed: 3 });
  expect(answer.inserted + answer.skipped + answer.failed).toBe(answer.received);
  expect(answer.errors.map(({ index, pointer }) => [index, pointer])).toEqual([
    [1, '/transactions/1/amount_cents'],
    [3, '/transactions/3/external_id'],
    [3, '/transactions/3/amount_cents'],
    [4, '/transactions/4/connection_id'],
  ]);
  expect(answer.skipped_transactions.map(({ index }) => index)).toEqual([2]);
});

test('with on_error=skip a request of only invalid rows is accepted and inserts none', async () => {
  const answer = await post([row('a', { connection_id: 'conn_x' })], { on_error: 'skip' });
  expect(answer).toMatchObject({ received: 1, inserted: 0, skipped: 0, failed: 1 });
  expect(await storedRows()).toEqual([]);
});

test('500 rows are stored, 500 duplicates of one row are one row', async () => {
  expect((await post(Array.from({ length: 500 }, (_, i) => row(`n${i}`)))).inserted).toBe(500);
  const answer = await post(Array.from({ length: 500 }, () => row('dup')));
  expect([answer.received, answer.inserted, answer.skipped]).toEqual([500, 1, 499]);
});

test.each([
  ['none', []],
  ['all', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
  ['the first', [0, 1, 2]],
  ['the last', [10, 11]],
  ['those in between', [3, 7]],
])('of a batch in which %s are known the others are inserted, told and answered', async (_, known) => {
  const keys = Array.from({ length: 12 }, (_unused, i) => `k${i}`);
  const existing = await Promise.all(known.map((i) => post([row(`k${i}`)])));
  const answer = await post([...keys.map((key) => row(key, { description: 'again' })), row('k5')]);
  const fresh = keys.filter((_key, i) => !known.includes(i));
  expect(answer.transactions.map(({ external_id }) => external_id)).toEqual(fresh);
  expect(answer.skipped_transactions).toMatchObject([
    ...known.map((index, i) => ({
      index,
      reason: 'duplicate',
      existing_id: existing[i]?.transactions[0]?.id,
      differs: ['description'],
    })),
    { index: 12, reason: 'duplicate_in_request', differs: known.includes(5) ? [] : ['description'] },
  ]);
  expect((await storedRows()).map(({ external_id }) => external_id).sort()).toEqual(keys.toSorted());
  const event = await getEvent(context, { event_id: answer.event_id });
  expect(event.data).toMatchObject({
    transactions: answer.transactions,
    count: fresh.length,
    received: keys.length + 1,
    skipped: known.length + 1,
  });
});

test('rows that another request inserts after they were looked up are skipped as known', async () => {
  await post([row('a0')]);
  await raw.query('BEGIN');
  await raw.query(
    `INSERT INTO bank_transaction SELECT (jsonb_populate_record(t, '{"id": "txn_between", "external_id": "a5"}')).*
     FROM bank_transaction t WHERE company_id = $1`,
    [company],
  );
  const posting = post(Array.from({ length: 12 }, (_, i) => row(`a${i}`)));
  await waitForBlocked(raw);
  await raw.query('COMMIT');
  const answer = await posting;
  expect(answer.inserted).toBe(10);
  expect(answer.skipped_transactions).toMatchObject([
    { index: 0, reason: 'duplicate' },
    { index: 5, reason: 'duplicate', existing_id: 'txn_between', differs: [] },
  ]);
});

test('the largest amounts are kept exactly and −0 is stored as 0', async () => {
  const amounts = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, -0];
  const answer = await post(amounts.map((amount_cents, i) => row(`m${i}`, { amount_cents })));
  expect(JSON.stringify(answer.transactions.map(({ amount_cents }) => amount_cents))).toBe(
    '[9007199254740991,-9007199254740991,0]',
  );
  expect(answer.transactions.every(({ amount_cents }) => !Object.is(amount_cents, -0))).toBe(true);
  expect((await storedRows()).map(({ amount_cents }) => amount_cents)).toEqual([
    '9007199254740991',
    '-9007199254740991',
    '0',
  ]);
});

test('times are stored in UTC with milliseconds', async () => {
  const answer = await post([
    row('offset', { posted_at: '2026-03-01T00:30:00+02:00' }),
    row('fine', { posted_at: '2026-03-01T00:30:00.123987Z' }),
  ]);
  expect(answer.transactions.map(({ posted_at }) => posted_at)).toEqual([
    '2026-02-28T22:30:00.000Z',
    '2026-03-01T00:30:00.123Z',
  ]);
  expect((await storedRows()).map(({ posted_at }) => new Date(posted_at).toISOString())).toEqual(
    answer.transactions.map(({ posted_at }) => posted_at),
  );
  const again = await post([row('offset', { posted_at: '2026-02-28T22:30:00Z' })]);
  expect(again.skipped_transactions[0]?.differs).toEqual([]);
});

test('a missing currency is that of the connection’s balances, else that of the company', async () => {
  await post([row('0', { currency: 'usd', connection_id: 'U' })]);
  await upsertCashBalance(context, {
    company_id: company,
    as_of: '2026-01-01',
    balance_cents: 1,
    currency: 'jpy',
    connection_id: 'T',
  });
  const answer = await post([
    row('1', { connection_id: 'T' }),
    row('2', { connection_id: 'U' }),
    row('3'),
    row('4', { currency: 'usd', connection_id: 'T' }),
  ]);
  expect(answer.transactions.map(({ currency, currency_inferred }) => [currency, currency_inferred])).toEqual([
    ['JPY', true],
    ['EUR', true],
    ['EUR', true],
    ['USD', false],
  ]);
});

test('the latest balance of a connection determines its currency', async () => {
  const balance = { company_id: company, balance_cents: 1, connection_id: 'T' };
  await upsertCashBalance(context, { ...balance, as_of: '2026-01-02', currency: 'JPY' });
  await upsertCashBalance(context, { ...balance, as_of: '2026-01-01', currency: 'USD' });
  expect((await post([row('1', { connection_id: 'T' })])).transactions).toMatchObject([{ currency: 'JPY' }]);
});

test('a known row with different content is skipped, and the differences are named', async () => {
  await post([row('d', { description: 'old', currency: 'USD', source: 's' })]);
  const answer = await post([
    row('d', { description: 'new', category: 'c', currency: 'EUR', source: 't', amount_cents: -101 }),
  ]);
  expect(answer.skipped_transactions[0]?.differs).toEqual([
    'amount_cents',
    'description',
    'category',
    'currency',
    'source',
  ]);
  expect(answer.warnings).toMatchObject([{ code: 'duplicate_with_different_content' }]);
});

test('a request that inserts nothing still has its event, with no rows', async () => {
  await post([row('e')]);
  const answer = await post([row('e')]);
  const event = await getEvent(context, { event_id: answer.event_id });
  expect(event.data).toMatchObject({ count: 0, transactions: [], received: 1, skipped: 1 });
});

test('a single transaction is a batch of one, with pointers of its own', async () => {
  const answer = await ingestTransactions(context, { company_id: company, ...row('one') });
  expect([answer.received, answer.inserted]).toEqual([1, 1]);
  const rejected = ingestTransactions(context, { company_id: company, ...row('two', { connection_id: 'conn_x' }) });
  await expect(rejected).rejects.toMatchObject({ fields: [{ pointer: '/connection_id' }] });
});

test('a company that is being dissolved stores nothing posted after that', async () => {
  await raw.query('BEGIN');
  await raw.query('SELECT id FROM company WHERE id = $1 FOR UPDATE', [company]);
  const rejected = expect(post([row('late')])).rejects.toMatchObject({ code: 'company_dissolved' });
  await waitForBlocked(raw);
  await raw.query("UPDATE company SET status = 'dissolved' WHERE id = $1", [company]);
  await raw.query('COMMIT');
  await rejected;
  expect(await storedRows()).toEqual([]);
});
