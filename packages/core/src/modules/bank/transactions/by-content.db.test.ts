// Risk: a bank statement that is sent again, in another order or format, stores rows twice or loses one.
import type { ContentTransactionInput } from '@finhook/contracts';
import { createTestRandom } from '@finhook/testing';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from '../../financials/figures/data-quality.ts';
import { ingestTransactions } from './ingest.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Statement Inc', base_currency: 'EUR' })).id;
});

type Row = Partial<ContentTransactionInput>;
/** A coffee on one day. */
const coffee = (more: Row = {}): ContentTransactionInput => ({
  posted_at: '2026-09-15T12:00:00Z',
  amount_cents: -450,
  currency: 'EUR',
  description: 'Coffee',
  connection_id: 'checking',
  ...more,
});
const send = (rows: readonly Row[], more: { dry_run?: boolean; company_id?: string } = {}) =>
  ingestTransactions(context, { company_id: company, match: 'content', transactions: rows.map(coffee), ...more });
const sendById = (rows: readonly Row[], company_id = company) =>
  ingestTransactions(context, {
    company_id,
    transactions: rows.map((row, i) => ({ ...coffee(row), external_id: row.external_id ?? `id-${i}` })),
  });
const storedRows = (company_id = company) =>
  context.database.query<{ external_id: string; amount_cents: string; description: string }>(
    'SELECT external_id, amount_cents, description FROM bank_transaction WHERE company_id = $1 ORDER BY id',
    [company_id],
  );
const idsOf = async () => (await storedRows()).map(({ external_id }) => external_id);

interface Case {
  stored: Row[];
  sent: Row[];
  /** Stored texts. */
  inserts: string[];
  /** For each skipped row, in the order of the request: the kind of match and the stored text. */
  known: string[];
}

const hash = '0123456789abcdef';
const cases: Record<string, Case> = {
  'two equal rows are two transactions': {
    stored: [],
    sent: [{}, {}],
    inserts: ['Coffee', 'Coffee'],
    known: [],
  },
  'the same rows again are known by their text': {
    stored: [{}, {}],
    sent: [{}, {}],
    inserts: [],
    known: ['text Coffee', 'text Coffee'],
  },
  'of three rows where two are stored, one is new': {
    stored: [{}, {}],
    sent: [{}, {}, {}],
    inserts: ['Coffee'],
    known: ['text Coffee', 'text Coffee'],
  },
  'a row with the reference of a stored one is known, whatever its text is': {
    stored: [{ external_id: 'A' }],
    sent: [{ external_id: 'B' }, { external_id: 'A', description: 'Coffee shop' }],
    inserts: ['Coffee'],
    known: ['reference Coffee'],
  },
  'the row with the reference and the text is matched before one with the reference alone': {
    stored: [{ external_id: '0', description: 'Tea' }],
    sent: [{ external_id: '0' }, { external_id: '0', description: 'Tea' }],
    inserts: ['Coffee'],
    known: ['reference Tea'],
  },
  'an id with the suffix of an earlier import has the reference before it': {
    stored: [{ external_id: `A-${hash}`, description: 'old text' }],
    sent: [{ description: 'Tea' }, { external_id: 'A' }],
    inserts: ['Tea'],
    known: ['reference old text'],
  },
  'the text is the set of its words, wherever the format has them': {
    stored: [{ description: 'RENT  March', counterparty: 'Landlord, Inc.' }],
    sent: [{ description: 'Other' }, { description: 'Landlord Inc rent march' }],
    inserts: ['Other'],
    known: ['text RENT  March'],
  },
  'a row without a text or reference in common is known by its amount': {
    stored: [{ description: '' }],
    sent: [{}],
    inserts: [],
    known: ['amount '],
  },
  'rows without text and reference are alike': {
    stored: [{ external_id: `row-${hash}${hash}-1`, description: '' }],
    sent: [{ description: '' }],
    inserts: [],
    known: ['text '],
  },
  'no text is nothing in common of two references': {
    stored: [{ external_id: 'A', description: '' }],
    sent: [{ external_id: 'B', description: '' }],
    inserts: [],
    known: ['amount '],
  },
  'another amount, currency, day or connection is another transaction': {
    stored: [{ external_id: 'A' }],
    sent: [
      { external_id: 'A', amount_cents: -451, description: 'amount' },
      { external_id: 'A', currency: 'USD', description: 'currency' },
      { external_id: 'A', posted_at: '2026-09-16T12:00:00Z', description: 'day' },
      { external_id: 'A', connection_id: 'savings', description: 'connection' },
      { external_id: 'A', connection_id: null, description: 'none' },
    ],
    inserts: ['amount', 'currency', 'day', 'connection', 'none'],
    known: [],
  },
};

test.each(Object.entries(cases))('%s', async (_, { stored, sent, inserts, known }) => {
  if (stored.length > 0) await sendById(stored);
  const textOf = new Map(
    (
      await context.database.query<{ id: string; description: string }>(
        'SELECT id, description FROM bank_transaction WHERE company_id = $1',
        [company],
      )
    ).map(({ id, description }) => [id, description]),
  );
  const result = await send(sent);
  expect(result.transactions.map(({ description }) => description)).toEqual(inserts);
  const skipped = result.skipped_transactions;
  expect(skipped.map((skip) => `${skip.matched_by} ${textOf.get(skip.existing_id ?? '')}`)).toEqual(known);
  expect(skipped.every(({ reason }) => reason === 'known')).toBe(true);
  expect([result.received, result.inserted, result.skipped]).toEqual([sent.length, inserts.length, known.length]);
  expect(new Set(skipped.map(({ existing_id }) => existing_id)).size).toBe(known.length);
});

test('days are in the company’s time zone', async () => {
  const { id } = await createCompany(context, { name: 'Kiwi', base_currency: 'EUR', timezone: 'Pacific/Auckland' });
  // 15 September there: from 12:00 of the 14th to 12:00 of the 15th in UTC.
  await send([{ posted_at: '2026-09-14T12:00:00Z' }], { company_id: id });
  const inserted = async (posted_at: string) =>
    (await send([{ posted_at }], { company_id: id, dry_run: true })).inserted;
  expect(await inserted('2026-09-15T11:59:59.999Z')).toBe(0);
  expect(await inserted('2026-09-14T23:59:59+12:00')).toBe(1);
  expect(await inserted('2026-09-15T12:00:00Z')).toBe(1);
});

test.each([
  ['Atlantic/Azores', '2026-10-25T00:30:00Z', 'the first of two hours from midnight on'],
  ['Atlantic/Azores', '2026-10-25T01:30:00Z', 'the second of them'],
  ['Africa/Cairo', '2026-10-29T20:30:00Z', 'the first of two hours before midnight'],
  ['Africa/Cairo', '2026-10-29T21:30:00Z', 'the second of these'],
  ['Africa/Cairo', '2026-04-23T22:30:00Z', 'the hour after a midnight that is left out'],
])('in %s, a row at %s, %s, is known when it is sent again', async (timezone, posted_at) => {
  const { id } = await createCompany(context, { name: 'Clocks', base_currency: 'EUR', timezone });
  const inserted = async () => (await send([{ posted_at }], { company_id: id })).inserted;
  expect([await inserted(), await inserted()]).toEqual([1, 0]);
});

describe('the stored id', () => {
  test('is the row’s own without a reference, and the reference otherwise', async () => {
    const { transactions } = await send([{}, { external_id: null }, { external_id: '' }, { external_id: 'A' }]);
    expect(transactions.slice(0, 3).every(({ id, external_id }) => id === external_id)).toBe(true);
    expect(transactions[3]?.external_id).toBe('A');
    expect(await idsOf()).toEqual(transactions.map(({ external_id }) => external_id));
    const again = await send([{}, {}, {}, {}]);
    expect(again.skipped_transactions.map(({ external_id }) => external_id).toSorted()).toEqual(
      (await idsOf()).toSorted(),
    );
  });

  test('gets a suffix if the bank reuses its reference, which still matches', async () => {
    const long = 'x'.repeat(255);
    const september = [{ external_id: '1' }, { external_id: '1', description: 'Tea' }, { external_id: long }];
    const october = september.map((row) => ({ ...row, posted_at: '2026-10-15T12:00:00Z' }));
    await send(september);
    expect((await send(october)).inserted).toBe(3);
    const withHash = /^(1|x{238})-[0-9a-f]{16}$/;
    expect(await idsOf()).toEqual([
      '1',
      expect.stringMatching(withHash),
      long,
      ...Array(3).fill(expect.stringMatching(withHash)),
    ]);
    const again = await send(october.map((row) => ({ ...row, description: 'Other text' })));
    expect(again.skipped_transactions.map(({ matched_by, external_id }) => [matched_by, external_id])).toEqual([
      ['reference', '1'],
      ['reference', '1'],
      ['reference', long],
    ]);
  });
});

test('another format’s text is listed as a difference, but is no correction', async () => {
  await sendById([{ category: 'food', source: 'camt' }]);
  const result = await send([
    { description: 'COFFEE', counterparty: 'Café', source: 'csv', posted_at: '2026-09-15T08:00:00Z' },
  ]);
  expect(result.skipped_transactions).toMatchObject([
    { reason: 'known', matched_by: 'amount', differs: ['description', 'category', 'counterparty', 'source'] },
  ]);
  expect(result.warnings).toEqual([]);
  expect((await getDataQuality(context, { company_id: company })).changed_duplicates.count).toBe(0);
  expect((await send([{ category: 'food' }])).skipped_transactions).toMatchObject([{ differs: [] }]);
});

test('a dry run returns the result of the request and changes no table', async () => {
  await sendById([{}, { external_id: 'A', posted_at: '2026-08-01T12:00:00Z' }]);
  const rows = [{}, { amount_cents: 7 }, { external_id: 'A' }, { posted_at: '1950-01-01T00:00:00Z' }];
  const before = await readTables(raw);
  const trial = await send(rows, { dry_run: true });
  expect(changesBetween(before, await readTables(raw))).toEqual({});
  const result = await send(rows.slice(0, 3));
  expect(trial).toMatchObject({ dry_run: true, inserted: 2, skipped: 1, failed: 1 });
  expect(trial.skipped_transactions).toEqual(result.skipped_transactions);
});

test('a request of known rows only is an arrival', async () => {
  const receipts = async () =>
    (
      await raw.query<{ connection_id: string }>(
        'SELECT connection_id FROM transaction_receipt WHERE company_id = $1',
        [company],
      )
    ).rows;
  await send([{}]);
  await raw.query("UPDATE bank_transaction SET created_at = created_at - interval '2 minutes' WHERE company_id = $1", [
    company,
  ]);
  expect(await receipts()).toEqual([]);
  await send([{}]);
  expect(await receipts()).toEqual([{ connection_id: 'checking' }]);
});

/** A row of each of the days, with a reference, in one of two connections. */
const daily = (from: number, to: number, connection_id: string) =>
  Array.from({ length: to - from }, (_, i) => ({
    external_id: `r${i % 3}`,
    description: `Day ${from + i}`,
    posted_at: new Date(Date.UTC(2026, 0, from + i, 12)).toISOString(),
    connection_id,
  }));

test('concurrent overlapping requests store each row once, whatever the order of their connections', async () => {
  const requests = Array.from({ length: 12 }, (_, i) => {
    const parts = [daily(i, i + 30, 'checking'), daily(i, i + 30, 'savings')];
    return (i % 2 === 0 ? parts : parts.toReversed()).flat();
  });
  const results = await Promise.all(requests.map((rows) => send(rows)));
  expect(results.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(82);
  expect(await storedRows()).toHaveLength(82);
});

test('a row that another request stores at the same time under the same reference is known', async () => {
  await sendById([{ external_id: 'old', posted_at: '2026-01-01T12:00:00Z' }]);
  await raw.query('BEGIN');
  await raw.query(
    `INSERT INTO bank_transaction SELECT (jsonb_populate_record(t, '{"id": "txn_between", "external_id": "A", "posted_at": "2026-09-15T12:00:00Z"}')).*
     FROM bank_transaction t WHERE company_id = $1`,
    [company],
  );
  const sending = send([{ external_id: 'A' }, { external_id: 'B', amount_cents: 1 }]);
  await waitForBlocked(raw);
  await raw.query('COMMIT');
  expect(await sending).toMatchObject({
    inserted: 1,
    skipped_transactions: [{ index: 0, reason: 'known', matched_by: 'reference', existing_id: 'txn_between' }],
  });
});

const row = fc.record({
  day: fc.integer({ min: 1, max: 4 }),
  amount_cents: fc.constantFrom(-450, 1000),
  currency: fc.constantFrom('EUR', 'USD'),
  external_id: fc.constantFrom(null, '0', 'A', `A-${hash}`, `row-${hash}${hash}-1`),
  description: fc.constantFrom('', 'Coffee', 'Tea', 'tea'),
  counterparty: fc.constantFrom(null, 'Café'),
});
type AnyRow = typeof row extends fc.Arbitrary<infer T> ? T : never;
const toRow = ({ day, ...fields }: AnyRow): Row => ({ ...fields, posted_at: `2026-09-0${day}T12:00:00Z` });
const groupOf = ({ day, amount_cents, currency }: AnyRow) => `${day} ${amount_cents} ${currency}`;

test('a statement in any order, repeated, or in parts that overlap by whole days, stores the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 8 }),
      fc.array(row, { minLength: 1, maxLength: 10 }),
      fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), { maxLength: 4 }),
      fc.integer(),
      async (before, statement, windows, seed) => {
        const random = createTestRandom(seed);
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((one) => ({ one, at: random.next() }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ one }) => one);
        const fill = async (requests: readonly (readonly AnyRow[])[]) => {
          const { id } = await createCompany(context, { name: 'Any Inc', base_currency: 'EUR' });
          if (before.length > 0)
            await sendById(
              before.map((one, i) => ({ ...toRow(one), external_id: `${one.external_id ?? i}` })),
              id,
            );
          for (const rows of requests) if (rows.length > 0) await send(rows.map(toRow), { company_id: id });
          const { rows } = await raw.query<{ content: string }>(
            `SELECT concat_ws('|', posted_at, amount_cents, currency, description, counterparty) AS content
             FROM bank_transaction WHERE company_id = $1 ORDER BY 1`,
            [id],
          );
          return rows.map(({ content }) => content);
        };
        const expected = await fill([statement]);
        const parts = windows.map((days) => shuffled(statement.filter(({ day }) => days.includes(day))));
        const byGroup = [...Map.groupBy(shuffled(statement), groupOf).values()];
        expect(await fill([...parts, shuffled(statement), statement.toReversed()])).toEqual(expected);
        expect(await fill([...byGroup, ...shuffled(parts)])).toEqual(expected);
      },
    ),
    { numRuns: 20 },
  );
});
