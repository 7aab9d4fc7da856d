// Risk: the rows behind a figure add up to another figure.
import { type BankTransaction, type MonthlyFlow, operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { fillRandomCompany } from '../../../../test/random-company.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { updateTransaction } from '../../bank/transactions/update.ts';
import { createCompany } from '../../companies/create.ts';
import { getBreakdown } from '../figures/breakdown.ts';
import { getBurn, getMonthly } from '../figures/get-figures.ts';
import { getSettings } from '../figures/settings.ts';
import { applyFlowRules } from '../rollup/apply-flow-rules.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { listTransactions } from './list.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
const { context } = fixture;
const classes = ['counted', 'financing', 'transfer', 'excluded'] as const;

type Filters = Partial<Parameters<typeof listTransactions>[1]>;
const rowsOf = async (company_id: string, more: Filters = {}) =>
  (await listTransactions(context, { company_id, limit: 5_000, order: 'asc', ...more })).data;

/**
 * Its stored sums follow the rules if the seed is 1, 5, …; else no rules, or they are not applied yet. The last rows are in
 * none of the stored sums.
 */
async function createRandomCompany(seed: number): Promise<string> {
  const { company_id } = await fillRandomCompany(context, clock, seed, {
    beforeSettings: (company) => refreshRollup(context, company),
    afterSettings: async () => seed % 4 === 1 && applyFlowRules(fixture.core),
  });
  return company_id;
}

const storedUntil = (company_id: string) =>
  fixture.core.database.query('SELECT position FROM transaction_rollup WHERE company_id = $1', [company_id]);

function inFigures({ amount_cents, counted_as }: BankTransaction): boolean {
  return counted_as?.flow_class === 'counted' || (counted_as?.flow_class === 'financing' && amount_cents < 0);
}

/** Sums the rows of a month, in the fields of the monthly flows. */
function flowsOf(rows: readonly BankTransaction[]): Partial<MonthlyFlow>[] {
  const known = rows.filter(({ counted_as }) => counted_as);
  const byCurrency = Map.groupBy(known, ({ currency }) => currency);
  return [...byCurrency]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => {
      const flow = { money_in_cents: 0, money_out_cents: 0, excluded_in_cents: 0, excluded_out_cents: 0 };
      for (const row of own) {
        const counts = inFigures(row);
        if (row.amount_cents > 0) flow[counts ? 'money_in_cents' : 'excluded_in_cents'] += row.amount_cents;
        else flow[counts ? 'money_out_cents' : 'excluded_out_cents'] -= row.amount_cents;
      }
      return { currency, ...flow, transactions: own.length };
    });
}

/** Pairs that only the currency keeps from being a transfer. */
function countNearMisses(rows: readonly BankTransaction[]): number {
  const received = Map.groupBy(rows, ({ amount_cents }) => amount_cents);
  return rows.filter(
    (row) =>
      row.amount_cents < 0 &&
      received
        .get(-row.amount_cents)
        ?.some(
          (other) =>
            other.currency !== row.currency &&
            Math.abs(Date.parse(other.posted_at) - Date.parse(row.posted_at)) < 5 * 86_400_000,
        ),
  ).length;
}

const sumsOf = ({ currency, transactions, ...flow }: MonthlyFlow): Partial<MonthlyFlow> => ({
  currency,
  money_in_cents: flow.money_in_cents,
  money_out_cents: flow.money_out_cents,
  excluded_in_cents: flow.excluded_in_cents,
  excluded_out_cents: flow.excluded_out_cents,
  transactions,
});

test.each([1, 2, 3, 4])(
  'the rows of each month add up to its sums, whichever other months are read (company %i)',
  async (seed) => {
    const company_id = await createRandomCompany(seed);
    const stored = await storedUntil(company_id);
    const { months } = await getMonthly(context, { company_id, months: 16 });
    if (seed % 4 === 1) expect(await storedUntil(company_id)).toEqual(stored);
    const reasons = new Set<string>();
    for (const { month, flows } of months) {
      const rows = await rowsOf(company_id, { month });
      expect([month, flowsOf(rows)]).toEqual([month, flows.filter(({ transactions }) => transactions > 0).map(sumsOf)]);
      for (const { counted_as } of rows)
        if (counted_as) reasons.add(`${counted_as.flow_class} ${counted_as.flow_reason}`);
      for (const counts of [true, false])
        expect(await rowsOf(company_id, { month, counts })).toEqual(
          rows.filter((row) => row.counted_as && inFigures(row) === counts),
        );
      for (const counted_as of classes)
        expect(await rowsOf(company_id, { month, counted_as })).toEqual(
          rows.filter((row) => row.counted_as?.flow_class === counted_as),
        );
    }
    expect([...reasons].toSorted()).toEqual(
      expect.arrayContaining([
        'counted default',
        'excluded account',
        'excluded person',
        'financing category',
        'financing person',
        'transfer category',
        ...(seed % 4 === 1 ? ['counted rule', 'excluded rule', 'financing rule', 'transfer rule'] : []),
      ]),
    );
    for (const fewer of [1, 2, 5, 12]) {
      const read = await getMonthly(context, { company_id, months: fewer });
      expect(read.months.map(({ month, flows }) => [month, flows.map(sumsOf)])).toEqual(
        months.slice(-fewer).map(({ month, flows }) => [month, flows.map(sumsOf)]),
      );
    }
    for (const basis of [1, 3, 7, 12]) {
      const { lines } = await getBurn(context, { company_id, months: basis });
      for (const line of lines)
        for (const { month, gross_burn_cents, net_burn_cents } of line.months) {
          const flow = months
            .find((one) => one.month === month)
            ?.flows.find(({ currency }) => currency === line.currency);
          expect([month, gross_burn_cents, net_burn_cents]).toEqual([
            month,
            flow?.money_out_cents ?? 0,
            (flow?.money_out_cents ?? 0) - (flow?.money_in_cents ?? 0),
          ]);
        }
    }
  },
);

test.each([1, 2])(
  'the rows of several months, and of a key of the breakdown, add up to its sums (company %i)',
  async (seed) => {
    const company_id = await createRandomCompany(seed);
    const range = { month: '2026-06', month_to: '2026-11' };
    const months = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
    const each = await Promise.all(months.map((month) => rowsOf(company_id, { month })));
    expect(await rowsOf(company_id, range)).toEqual(each.flat());
    const filterOf = {
      category: 'category_key',
      counterparty: 'counterparty_key',
      connection: 'connection_id',
    } as const;
    for (const by of ['category', 'counterparty', 'connection'] as const) {
      const input = { company_id, by, currency: 'USD', from: range.month, to: range.month_to };
      const { rows } = await getBreakdown(context, operations.financials.breakdown.input.parse(input));
      expect(rows.length).toBeGreaterThan(1);
      for (const { key, total_cents, transactions } of rows.filter((row) => row.transactions > 0)) {
        const own = await rowsOf(company_id, {
          ...range,
          currency: 'USD',
          direction: 'out',
          counts: true,
          [filterOf[by]]: key ?? (by === 'connection' ? 'none' : 'NONE'),
        });
        const sum = own.reduce((total, { amount_cents }) => total - amount_cents, 0);
        expect([key, own.length, sum]).toEqual([key, transactions, total_cents]);
      }
    }
    for (const key of ['rent', 'NONE', 'no_such_key']) {
      const unclassified = await rowsOf(company_id, { category_key: key });
      expect(unclassified.length > 0).toBe(key !== 'no_such_key');
    }
  },
);

test('both sides of a transfer name each other, also over the end of a month, in companies with rows of each kind', async () => {
  let crossing = 0;
  let nearMisses = 0;
  const reasons = new Set<string | undefined>();
  const types = new Set<string>();
  const excluded = new Set<string>();
  for (const seed of [1, 2, 3, 5]) {
    const company_id = await createRandomCompany(seed);
    const { months } = await getMonthly(context, { company_id, months: 16 });
    const rows = (await Promise.all(months.map(({ month }) => rowsOf(company_id, { month })))).flat();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      reasons.add(row.counted_as?.flow_reason);
      const other = byId.get(row.counted_as?.paired_with ?? '');
      if (row.counted_as?.flow_reason === 'pair') expect(other).toBeDefined();
      if (other === undefined) continue;
      expect([other.counted_as?.paired_with, other.amount_cents]).toEqual([row.id, -row.amount_cents]);
      if (row.posted_at.slice(0, 7) !== other.posted_at.slice(0, 7)) crossing++;
    }
    nearMisses += countNearMisses(rows);
    const settings = await getSettings(context, { company_id });
    for (const { account_type } of settings.accounts) types.add(account_type);
    for (const id of settings.excluded_connections) excluded.add(id);
  }
  expect(Math.min(crossing, nearMisses)).toBeGreaterThan(0);
  expect([...reasons]).toEqual(
    expect.arrayContaining(['account', 'person', 'rule', 'category', 'pair', 'large_inflow', 'default']),
  );
  expect([...types]).toContain('credit_card');
  expect([...excluded]).toContain('none');
});

test('a category or counterparty that is named None is not the lack of one', async () => {
  const company_id = (await createCompany(context, { name: 'Named', timezone: 'UTC' })).id;
  const named = { posted_at: '2026-10-05T12:00:00Z', amount_cents: -5, category: 'None', counterparty: 'NONE' };
  const { category: _, counterparty: __, ...bare } = named;
  const transactions = [
    { ...named, external_id: 'named' },
    { ...bare, external_id: 'bare' },
  ];
  await ingestTransactions(context, { company_id, transactions });
  for (const name of ['category_key', 'counterparty_key'])
    for (const range of [{}, { month: '2026-10' }])
      for (const [key, id] of [
        ['none', 'named'],
        ['NONE', 'bare'],
      ])
        expect((await rowsOf(company_id, { ...range, [name]: key })).map((row) => row.external_id)).toEqual([id]);
});

test('pages of a month have each row once, and the count matches the filter', async () => {
  const company_id = await createRandomCompany(2);
  const filter = { month: '2026-10', counted_as: 'counted' } as const;
  const all = await rowsOf(company_id, filter);
  expect(all.length).toBeGreaterThan(10);
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const input = { company_id, limit: 7, order: 'asc', ...filter, ...(after === undefined ? {} : { after }) } as const;
    const page = await listTransactions(context, { ...input, include: 'total_count' });
    expect(page.total_count).toBe(all.length);
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
    after = page.next_cursor ?? '';
  }
  expect(ids).toEqual(all.map(({ id }) => id));
});

test.each<Filters>([
  {},
  { direction: 'out' },
  { currency: 'EUR', q: 'a' },
  { month: '2026-10', counted_as: 'counted' },
  { month: '2026-10', category: 'no such category' },
])('the totals are the sums of all rows that are not voided, whatever page is read (%j)', async (filter) => {
  const company_id = await createRandomCompany(3);
  const [first] = await rowsOf(company_id, filter);
  if (first) await updateTransaction(context, { company_id, transaction_id: first.id, voided: true });
  const all = await rowsOf(company_id, filter);
  const byCurrency = Map.groupBy(all, ({ currency }) => currency);
  const sums = [...byCurrency.keys()].toSorted().map((currency) => {
    const own = (byCurrency.get(currency) ?? []).filter(({ voided_at }) => voided_at === null);
    const sum = (sign: number) => own.reduce((total, row) => total + Math.max(sign * row.amount_cents, 0), 0);
    const [in_cents, out_cents] = [sum(1), sum(-1)];
    return { currency, transactions: own.length, in_cents, out_cents, net_cents: in_cents - out_cents };
  });
  const input = { company_id, limit: 3, order: 'asc', ...filter } as const;
  const page = await listTransactions(context, { ...input, include: 'totals' });
  expect([page.total_count, page.totals]).toEqual([all.length, sums]);
  expect(page.data).toEqual(all.slice(0, 3));
  if (page.next_cursor === null) return;
  const next = await listTransactions(context, { ...input, include: 'totals', after: page.next_cursor });
  expect([next.total_count, next.totals]).toEqual([all.length, sums]);
  expect(await listTransactions(context, input)).not.toHaveProperty('totals');
});

test('a row that is in no figure has no class: one that is not due, or of a month that has not begun', async () => {
  const company_id = (await createCompany(context, { name: 'Future', timezone: 'America/New_York' })).id;
  const days = ['2026-11-20T12:00:00Z', '2026-11-29T12:00:00Z', '2026-12-02T12:00:00Z', '2026-12-01T04:59:59Z'];
  const transactions = days.map((posted_at) => ({ external_id: posted_at, posted_at, amount_cents: -5 }));
  await ingestTransactions(context, { company_id, transactions });
  const read = async (month: string, more: Filters = {}) =>
    (await rowsOf(company_id, { month, ...more })).map(({ external_id, counted_as }) => [
      external_id,
      counted_as && `${counted_as.flow_class} ${counted_as.flow_reason}`,
    ]);
  expect(await read('2026-11')).toEqual([
    [days[0], 'counted default'],
    [days[1], null],
    [days[3], null],
  ]);
  expect(await read('2026-12')).toEqual([[days[2], null]]);
  expect(await read('2026-12', { counted_as: 'counted' })).toEqual([]);
  for (const month of ['0000-01', '0001-12', '1969-12', '9999-12']) expect(await read(month)).toEqual([]);
  expect((await rowsOf(company_id))[0]).not.toHaveProperty('counted_as');
});

test.each<[Filters, string, string]>([
  [{ counted_as: 'counted' }, '/month', 'required'],
  [{ counts: false }, '/month', 'required'],
  [{ month_to: '2026-10' }, '/month', 'required'],
  [{ month: '2026-10', month_to: '2026-09' }, '/month_to', 'date_out_of_range'],
  [{ month: '2024-10', month_to: '2026-10' }, '/month_to', 'date_out_of_range'],
])('%j is rejected, because a row has a class only in the figures of its month', async (filter, pointer, code) => {
  const { companyId: company_id } = fixture;
  await expect(rowsOf(company_id, filter)).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ pointer, code }],
  });
});
