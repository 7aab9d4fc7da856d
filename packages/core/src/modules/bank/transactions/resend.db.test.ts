// Risk: a row that is sent again changes without on_duplicate=update, changes twice, or reports wrong previous values.
import { type BankTransactionInput, operations } from '@finhook/contracts';
import { createTestClock, createTestRandom } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from '../../financials/figures/data-quality.ts';
import { bulkUpdateTransactions } from '../../financials/transactions/bulk.ts';
import { listTransactions } from '../../financials/transactions/list.ts';
import { ingestTransactions } from './ingest.ts';
import { updateTransaction } from './update.ts';

type Options = { on_duplicate?: 'skip' | 'update'; dry_run?: boolean };

const POSTED = '2026-11-25T15:00:00.000Z';
const LATER = '2026-11-25T15:01:00.000Z';
const clock = createTestClock(POSTED);
const fixture = useFixture(clock);
const raw = useRawClient(fixture);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  clock.set(POSTED);
  company_id = (await createCompany(context, { name: 'Again Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const row = (external_id: string, amount: number, more: Partial<BankTransactionInput> = {}): BankTransactionInput => ({
  external_id,
  posted_at: '2026-10-10T12:00:00Z',
  amount_cents: amount * 100,
  connection_id: 'c1',
  ...more,
});
const send = (transactions: BankTransactionInput[], options: Options = {}) =>
  ingestTransactions(context, { company_id, transactions, ...options });
const update = (transactions: BankTransactionInput[], options: Options = {}) => {
  clock.set(LATER);
  return send(transactions, { on_duplicate: 'update', ...options });
};
/** By ID, the only order between rows of one time. */
const stored = async () =>
  (await listTransactions(context, { company_id, limit: 200, order: 'asc' })).data.toSorted((a, b) =>
    a.external_id < b.external_id ? -1 : 1,
  );
const amounts = async () => (await stored()).map(({ external_id, amount_cents }) => [external_id, amount_cents]);
const events = async () =>
  (await readFeed(context)).filter((event) => event.company_id === company_id && event.type.startsWith('bank.'));
const findings = async () => (await getDataQuality(context, { company_id })).changed_duplicates.count;

test('by default a row that is sent again with another amount is skipped, and the response names the difference', async () => {
  await send([row('t1', -100)]);
  const answer = await send([row('t1', -120)]);
  expect(answer).toMatchObject({ inserted: 0, updated: 0, updated_transactions: [], skipped: 1 });
  expect(answer.skipped_transactions).toMatchObject([{ reason: 'duplicate', differs: ['amount_cents'] }]);
  expect(answer.warnings).toMatchObject([{ code: 'duplicate_with_different_content' }]);
  expect(await amounts()).toEqual([['t1', -100_00]]);
});

test('with update it gets the sent content; the posted event has no rows, the updated event has the replaced values', async () => {
  const { transactions } = await send([row('t1', -100)]);
  const [first] = transactions;
  const answer = await update([row('t1', -120)]);
  const changes = { changed: ['amount_cents'], previous: { amount_cents: -100_00 } };
  expect(answer).toMatchObject({
    received: 1,
    inserted: 0,
    updated: 1,
    skipped: 0,
    count: 0,
    updated_transactions: [{ index: 0, id: first?.id, external_id: 't1', ...changes }],
    skipped_transactions: [],
    warnings: [],
  });
  const after = { ...first, amount_cents: -120_00, updated_at: LATER };
  expect(await stored()).toMatchObject([after]);
  expect((await events()).slice(1)).toMatchObject([
    { id: answer.event_id, type: 'bank.transaction.posted', data: { count: 0, transactions: [], received: 1 } },
    {
      type: 'bank.transaction.updated',
      data: {
        object: 'transaction_update',
        company_id,
        cause: 'resent',
        count: 1,
        transactions: [{ ...after, ...changes }],
      },
    },
  ]);
  const [audit] = await readAudits(context, { resource_id: answer.id }, 'action', 'after');
  // The audit log keeps replaced values longer than the event.
  expect(audit).toEqual({
    action: 'bank.transactions.ingest',
    after: {
      received: 1,
      inserted: 0,
      updated: 1,
      skipped: 0,
      failed: 0,
      updated_transactions: [{ id: first?.id, ...changes }],
    },
  });
});

test('a payroll run that was sent with the wrong sign is corrected', async () => {
  const run = (amount: number) => Array.from({ length: 120 }, (_, i) => row(`p${i}`, amount));
  await send(run(1_000));
  const answer = await update(run(-1_000));
  expect(answer).toMatchObject({ updated: 120, skipped: 0 });
  expect((await stored()).reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(-120_000_00);
});

test('new rows, changed rows and unchanged ones in one request are stored, updated and skipped', async () => {
  await send([row('same', 1), row('other', 1)]);
  const answer = await update([row('new', 1), row('other', 2), row('same', 1)]);
  expect(answer.transactions.map(({ external_id }) => external_id)).toEqual(['new']);
  expect(answer.updated_transactions).toMatchObject([{ index: 1, external_id: 'other' }]);
  expect(answer.skipped_transactions).toMatchObject([{ index: 2, reason: 'duplicate', differs: [] }]);
});

test('all sent fields are stored; currency and source only if the request names them', async () => {
  const full = { description: 'Lunch', category: 'meals', counterparty: 'Café', currency: 'EUR', source: 'csv' };
  await send([row('kept', 1, full), row('named', 1), row('emptied', 1, full)]);
  const at = '2026-10-11T08:30:00Z';
  const texts = { description: 'Dinner', category: 'travel', counterparty: 'Bistro' };
  const answer = await update([
    row('kept', 2, { posted_at: at, ...texts }),
    row('named', 1, { currency: 'chf', source: 'sync' }),
    row('emptied', 1),
  ]);
  const posted_at = '2026-10-11T08:30:00.000Z';
  const lunch = { description: 'Lunch', category: 'meals', posted_category: 'meals', counterparty: 'Café' };
  expect(await stored()).toMatchObject([
    { external_id: 'emptied', description: '', category: null, counterparty: null, currency: 'EUR', source: 'csv' },
    { external_id: 'kept', ...texts, posted_at, amount_cents: 2_00, currency: 'EUR', source: 'csv' },
    { external_id: 'named', currency: 'CHF', currency_inferred: false, source: 'sync' },
  ]);
  expect(answer.updated_transactions.map(({ changed, previous }) => [changed.toSorted(), previous])).toEqual([
    [
      ['amount_cents', 'category', 'counterparty', 'description', 'posted_at', 'posted_category'],
      { posted_at: '2026-10-10T12:00:00.000Z', amount_cents: 1_00, ...lunch },
    ],
    [['currency', 'currency_inferred', 'source'], { currency: 'USD', currency_inferred: true, source: 'api' }],
    [
      ['category', 'category_reason', 'counterparty', 'description', 'posted_category'],
      { ...lunch, category_reason: 'posted' },
    ],
  ]);
});

test('sending the inferred currency is no change', async () => {
  await send([row('t1', 1)]);
  expect(await update([row('t1', 1, { currency: 'USD' })])).toMatchObject({ updated: 0, skipped: 1 });
});

test('the class that a person set stays', async () => {
  const { transactions } = await send([row('t1', -100)]);
  await updateTransaction(context, { company_id, transaction_id: transactions[0]?.id ?? '', flow_class: 'transfer' });
  await update([row('t1', -120)]);
  expect(await stored()).toMatchObject([{ amount_cents: -120_00, flow_class: 'transfer' }]);
});

test.each(['skip', 'update'] as const)(
  'a voided row is skipped as such and stays as it is (%s), until it is restored',
  async (on_duplicate) => {
    const { transactions } = await send([row('t1', -500), row('t2', -500)]);
    const [first, second] = transactions.map(({ id }) => id);
    await updateTransaction(context, { company_id, transaction_id: second ?? '', voided: true });
    const told = (await events()).length;
    const answer = await send([row('t2', -600), row('t2', -700)], { on_duplicate });
    expect(answer).toMatchObject({ inserted: 0, updated: 0, skipped: 2, warnings: [] });
    const skip = { reason: 'voided', existing_id: second, differs: ['amount_cents'] };
    expect(answer.skipped_transactions).toMatchObject([skip, skip]);
    expect((await events()).slice(told).map(({ type }) => type)).toEqual(['bank.transaction.posted']);
    expect(await findings()).toBe(0);
    expect(await stored()).toMatchObject([
      { id: first, voided_at: null },
      { id: second, voided_at: POSTED, amount_cents: -500_00 },
    ]);
    await updateTransaction(context, { company_id, transaction_id: second ?? '', voided: false });
    expect((await stored()).map(({ voided_at }) => voided_at)).toEqual([null, null]);
  },
);

test('if a request has an ID twice, the first row counts, and the second is compared with it', async () => {
  await send([row('t1', 1)]);
  const answer = await update([row('t1', 2), row('t1', 3), row('t1', 2), row('new', 1), row('new', 2)]);
  expect(answer).toMatchObject({ inserted: 1, updated: 1, skipped: 3 });
  expect(answer.skipped_transactions).toMatchObject([
    { index: 1, reason: 'duplicate_in_request', differs: ['amount_cents'] },
    { index: 2, reason: 'duplicate_in_request', differs: [] },
    { index: 4, reason: 'duplicate_in_request', differs: ['amount_cents'] },
  ]);
  expect(await amounts()).toEqual([
    ['new', 1_00],
    ['t1', 2_00],
  ]);
});

test('a dry run returns the changes and makes none', async () => {
  await send([row('t1', -100)]);
  const before = await readTables(raw);
  const answer = await update([row('t1', -120), row('t2', -1)], { dry_run: true });
  expect(answer).toMatchObject({ dry_run: true, inserted: 1, updated: 1, skipped: 0 });
  expect(answer.updated_transactions).toMatchObject([
    { changed: ['amount_cents'], previous: { amount_cents: -100_00 } },
  ]);
  expect(changesBetween(before, await readTables(raw))).toEqual({});
});

test('an updated row is no longer reported by data quality', async () => {
  await send([row('t1', -100), row('t2', -100)]);
  await send([row('t1', -120), row('t2', -120)]);
  expect(await findings()).toBe(2);
  await update([row('t1', -120), row('t1', -130)]);
  expect(await findings()).toBe(1);
});

test('match=content can’t be combined with on_duplicate=update', () => {
  const { input, variant } = operations.bank.transactions.ingest;
  const body = { company_id, match: 'content', transactions: [row('t1', 1)] };
  const parse = (on_duplicate: string) => (variant?.(body) ?? input).safeParse({ ...body, on_duplicate });
  expect(parse('skip').success).toBe(true);
  expect(parse('update').error?.issues).toMatchObject([{ code: 'invalid_value', path: ['on_duplicate'] }]);
});

test('a voided row counts as stored for match=content', async () => {
  const { transactions } = await send([row('t1', -500)]);
  await updateTransaction(context, { company_id, transaction_id: transactions[0]?.id ?? '', voided: true });
  const answer = await ingestTransactions(context, { company_id, match: 'content', transactions: [row('t9', -500)] });
  expect(answer).toMatchObject({ inserted: 0, skipped_transactions: [{ reason: 'known' }] });
});

test('concurrent updates of the same rows are serialised: each reports the values that it replaced', async () => {
  const ids = Array.from({ length: 60 }, (_, i) => `t${i}`);
  await send(ids.map((id) => row(id, 1)));
  const orders = [ids, ids.toReversed(), [...ids.slice(30), ...ids.slice(0, 30)], ids];
  const answers = await Promise.all(orders.map((order, i) => update(order.map((id) => row(id, i + 2)))));
  expect(answers.map(({ updated }) => updated)).toEqual([60, 60, 60, 60]);
  expectChain(await events(), await stored());
});

test('bulk changes and concurrent updates of the same rows are serialised, and both are kept', async () => {
  const ids = Array.from({ length: 60 }, (_, i) => `t${i}`);
  await send(ids.map((id) => row(id, 1)));
  const bulk = (flow_class: 'transfer' | 'excluded') =>
    bulkUpdateTransactions(context, {
      company_id,
      filter: { connection_id: 'c1' },
      set: { flow_class },
      expected_count: 60,
    });
  await Promise.all([
    update(ids.toReversed().map((id) => row(id, 2))),
    bulk('transfer'),
    update(ids.map((id) => row(id, 3))),
    bulk('excluded'),
  ]);
  expectChain(await events(), await stored());
  expect((await stored()).every(({ amount_cents, flow_class }) => amount_cents > 1_00 && flow_class !== null)).toBe(
    true,
  );
});

test('a row that a person voids while a request updates it stays voided, with its content', async () => {
  // Enough rows to be compared before the insert: the request waits only where it updates.
  const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
  const { transactions } = await send(ids.map((id) => row(id, -100)));
  const voided = transactions.find(({ external_id }) => external_id === 't5')?.id;
  await raw.query('BEGIN');
  await raw.query("UPDATE bank_transaction SET voided_at = '2026-11-25T15:00:30Z' WHERE id = $1", [voided]);
  const waiting = update(ids.map((id) => row(id, -120)));
  await waitForBlocked(raw, 1);
  await raw.query('COMMIT');
  expect(await waiting).toMatchObject({
    updated: 11,
    skipped_transactions: [{ reason: 'voided', existing_id: voided }],
  });
  expect((await amounts()).filter(([, cents]) => cents === -100_00)).toEqual([['t5', -100_00]]);
});

test('a change that waited for another one has a later time, even if the other clock is ahead', async () => {
  const ids = Array.from({ length: 12 }, (_, i) => `t${i}`);
  await send(ids.map((id) => row(id, -100)));
  await raw.query('BEGIN');
  await raw.query("UPDATE bank_transaction SET updated_at = '2026-11-25T15:05:00Z' WHERE external_id = 't5'");
  await raw.query("UPDATE bank_transaction SET updated_at = '2026-11-25T15:03:00Z' WHERE external_id = 't6'");
  const waiting = update(ids.map((id) => row(id, -120)));
  await waitForBlocked(raw, 1);
  clock.set('2026-11-25T15:04:00.000Z');
  await raw.query('COMMIT');
  await waiting;
  const times = new Map((await stored()).map(({ external_id, updated_at }) => [external_id, updated_at]));
  expect([times.get('t5'), times.get('t6')]).toEqual(['2026-11-25T15:05:00.001Z', '2026-11-25T15:04:00.000Z']);
  const told = (await events()).at(-1)?.data['transactions'];
  for (const { external_id, updated_at } of Array.from<Record<string, unknown>>(Object(told)))
    expect(updated_at).toBe(times.get(String(external_id)));
});

/** Replays all events: they lead to the stored rows, and each `previous` is the state before. */
function expectChain(feed: Awaited<ReturnType<typeof events>>, rows: Awaited<ReturnType<typeof stored>>): void {
  const followed = new Map<string, Record<string, unknown>>();
  for (const { type, data } of feed)
    for (const one of Array.from<Record<string, unknown>>(Object(data['transactions']))) {
      const { changed, previous, ...now } = one;
      const id = String(now['id']);
      if (type === 'bank.transaction.updated') {
        const { updated_at: _, ...before } = { ...now, ...Object(previous) };
        expect(followed.get(id)).toMatchObject(before);
        expect(Object.keys(Object(previous)).toSorted()).toEqual(Array.from(Object(changed)).toSorted());
      }
      followed.set(id, now);
    }
  expect(followed.size).toBe(rows.length);
  for (const one of rows) expect(one).toMatchObject(followed.get(one.id) ?? {});
}

type Version = { voided_at?: unknown; amount_cents?: unknown };

/** A receiver's sum: the previous version of each row is subtracted and the new one added, unless it is voided. */
function followedSum(feed: Awaited<ReturnType<typeof events>>): number {
  const value = ({ voided_at, amount_cents }: Version) => (voided_at == null ? Number(amount_cents) : 0);
  let sum = 0;
  for (const { type, data } of feed)
    for (const one of Array.from<Version & { previous?: Version }>(Object(data['transactions'])))
      sum += value(one) - (type === 'bank.transaction.updated' ? value({ ...one, ...one.previous }) : 0);
  return sum;
}

test.each<[string, (id: string) => Promise<unknown>]>([
  ['voided', (id) => updateTransaction(context, { company_id, transaction_id: id, voided: true })],
  [
    'voided and restored',
    async (id) => {
      for (const voided of [true, false]) await updateTransaction(context, { company_id, transaction_id: id, voided });
    },
  ],
  [
    'voided and classified',
    async (id) => {
      await updateTransaction(context, { company_id, transaction_id: id, voided: true });
      await updateTransaction(context, { company_id, transaction_id: id, flow_class: 'transfer' });
    },
  ],
  ['sent again with another amount', () => update([row('t1', -120)])],
])('a receiver that subtracts the version before and adds the one now has the sum of the rows: %s', async (_, act) => {
  const { transactions } = await send([row('t1', -100), row('t2', -7)]);
  await act(transactions[0]?.id ?? '');
  const counted = (await stored()).filter(({ voided_at }) => voided_at === null);
  expect(followedSum(await events())).toBe(counted.reduce((sum, { amount_cents }) => sum + amount_cents, 0));
});

test('a reader of the feed gets the stored rows after any sequence of sends, corrections and bulk changes', async () => {
  const random = createTestRandom(41);
  const pick = <T>(values: readonly [T, ...T[]]): T => values[random.integer(values.length)] ?? values[0];
  const classes = ['counted', 'financing', 'transfer', 'excluded', null] as const;
  const text = () => pick(['', 'Rent', 'Lunch', 'Überweisung']);
  for (let step = 0; step < 120; step++) {
    clock.advance(1_000);
    const rows = await stored();
    const kind = random.next();
    if (kind < 0.5 || rows.length === 0) {
      const sent = Array.from({ length: 1 + random.integer(4) }, () =>
        row(`t${random.integer(12)}`, random.integer(5) - 2, {
          connection_id: pick([undefined, 'a', 'b']),
          description: text(),
          category: text(),
          currency: pick([undefined, 'USD', 'EUR']),
        }),
      );
      await send(sent, { on_duplicate: pick(['skip', 'update', 'update']) });
    } else if (kind < 0.9) {
      const { id = '' } = rows[random.integer(rows.length)] ?? {};
      await updateTransaction(context, {
        company_id,
        transaction_id: id,
        flow_class: pick(classes),
        voided: random.next() < 0.3,
      });
    } else {
      const expected_count = rows.filter(({ amount_cents }) => amount_cents < 0).length;
      const set = { flow_class: pick(classes), voided: random.next() < 0.3 };
      await bulkUpdateTransactions(context, { company_id, filter: { direction: 'out' }, set, expected_count });
    }
  }
  const rows = await stored();
  expectChain(await events(), rows);
  const counted = rows.filter(({ voided_at }) => voided_at === null);
  expect(followedSum(await events())).toBe(counted.reduce((sum, { amount_cents }) => sum + amount_cents, 0));
});
