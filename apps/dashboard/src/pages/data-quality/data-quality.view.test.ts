// Risk: the page leaves out a finding, does not count a failed check or a stale connection, or links to rows other than
// the compared ones.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  comparedRows,
  failedChecks,
  findingsOf,
  issuesText,
  type Reconciliation,
  staleSeries,
  tabToShow,
  transferTreatment,
  unexplainedFirst,
} from './data-quality.view.ts';

test('without a tab in the URL the page opens the first one with findings', () => {
  const findings = (...counts: number[]) => counts.map((count, i) => ({ id: `tab${i}`, count }));
  expect(tabToShow(undefined, findings(0, 0, 8, 1))).toBe('tab2');
  expect(tabToShow('tab1', findings(0, 0, 8))).toBe('tab1');
  expect(tabToShow('gone', findings(0, 8))).toBe('tab1');
  expect(tabToShow(undefined, findings(0, 0))).toBe('tab0');
});

const reconciliation = (fields: Partial<Reconciliation> = {}): Reconciliation => ({
  connection_id: 'operating',
  currency: 'USD',
  from: '2026-02-28',
  to: '2026-03-31',
  opening_cents: 100,
  closing_cents: 900,
  posted_cents: 100,
  unexplained_cents: 700,
  hint: null,
  threshold_cents: 100,
  status: 'warn',
  ...fields,
});

test('compared transactions start on the day after the earlier balance; rows without a connection have a filter too', () => {
  expect(comparedRows(reconciliation())).toEqual({
    balances: { connection_id: 'operating', currency: 'USD', as_of_from: '2026-02-28', as_of_to: '2026-03-31' },
    transactions: { connection_id: 'operating', currency: 'USD', posted_from: '2026-03-01', posted_to: '2026-03-31' },
  });
  expect(comparedRows(reconciliation({ connection_id: null })).transactions.connection_id).toBe('none');
});

test('unexplained balances come before matching ones, in the order of the response', () => {
  const rows = (['pass', 'warn', 'pass', 'warn'] as const).map((status, i) =>
    reconciliation({ status, connection_id: `${i}` }),
  );
  expect(unexplainedFirst(rows).map(({ connection_id }) => connection_id)).toEqual(['1', '3', '0', '2']);
});

type Snapshots = Parameters<typeof failedChecks>[0];

test('failed checks are listed with their statement; passed and skipped ones are not', () => {
  const checks = [
    { id: 'K1', status: 'pass' },
    { id: 'K6', status: 'warn' },
    { id: 'K9', status: 'skip' },
  ] as const;
  const found = failedChecks(partial<Snapshots>([{ snapshot_id: 'fin_1', checks }, { checks: [] }]));
  expect(found.map(({ snapshot, check }) => [snapshot.snapshot_id, check.id])).toEqual([['fin_1', 'K6']]);
});

type Freshness = Parameters<typeof staleSeries>[0];

test('an account is stale with either kind of data; one that is late or never sent any is not', () => {
  type Grade = Freshness['streams'][number]['balance']['grade'];
  const series = (id: string, balance: Grade, transactions: Grade) => ({
    connection_id: id,
    balance: { grade: balance },
    transactions: { grade: transactions },
  });
  const streams = [
    series('a', 'stale', 'fresh'),
    series('b', 'late', 'never'),
    series('c', 'never', 'stale'),
    series('d', 'fresh', 'fresh'),
  ];
  expect(staleSeries(partial<Freshness>({ streams })).map(({ connection_id }) => connection_id)).toEqual(['a', 'c']);
});

test.each([
  [{ exclude_suspected_transfers: true, excluded_categories: ['transfer'] }, 'Excluded from burn and runway.'],
  [{}, 'Counted as money out and money in.'],
  [
    { excluded_categories: ['transfer', 'credit_card_payment'] },
    'Counted as money out and money in, except transactions whose category (transfer, credit card payment) is excluded.',
  ],
  [
    { excluded_categories: ['transfer'], excluded_connections: ['none'] },
    'Counted as money out and money in, except transactions whose category (transfer) or account is excluded.',
  ],
])('suspected transfers with the settings %j: %s', (given, text) => {
  const settings = { exclude_suspected_transfers: false, excluded_categories: [], excluded_connections: [], ...given };
  expect(transferTreatment(settings)).toBe(text);
});

type Quality = Parameters<typeof findingsOf>[0];
const quality = partial<Quality>({
  issues: 4,
  snapshots: [
    { checks: [{ status: 'warn' }, { status: 'pass' }, { status: 'skip' }] },
    { checks: [{ status: 'warn' }] },
  ],
  freshness: { grade: 'stale', stale_streams: 1, late_streams: 2 },
  reconciliation: [{ status: 'warn' }, { status: 'pass' }],
  changed_duplicates: { count: 0, latest: [] },
  suspected_transfers: { count: 50, truncated: true, latest: [] },
  warnings: [{ code: 'large_inflow', message: 'Much came in.' }],
});

test('every kind of finding is counted; of checks and balances, only the failed ones', () => {
  expect(findingsOf(quality).map(({ id, count, atLeast }) => [id, count, atLeast])).toEqual([
    ['checks', 2, false],
    ['stale', 1, false],
    ['unexplained', 1, false],
    ['duplicates', 0, false],
    ['transfers', 50, true],
    ['warnings', 1, false],
  ]);
});

test('the issues are counted as their tabs are, apart from suspected transfers', () => {
  expect(issuesText(findingsOf(quality))).toBe(
    '5 issues in the data you posted: 2 failed checks, 1 stale account, 1 unexplained balance, 1 warning. Nothing was rejected.',
  );
  const none = findingsOf(quality).map((finding) => ({ ...finding, count: finding.id === 'transfers' ? 9 : 0 }));
  expect(issuesText(none)).toBe('No issues in the data you posted.');
});
