// Risk: a resync opens a filing twice or reports none, or the matrix shows nothing overdue while something is.
import type { Filing } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';
import { createCompany } from '../companies/create.ts';
import { createFiling } from '../filings/create.ts';
import { listFilings } from '../filings/filing.ts';
import { submitFiling } from '../filings/submit.ts';
import { getCompliance } from './matrix.ts';
import { resyncCompliance } from './resync.ts';

const clock = createTestClock('2026-11-21T12:00:00.000Z');
const fixture = useFixture(clock);
let context: Context;
let company_id: string;
beforeEach(async () => {
  clock.set('2026-11-21T12:00:00.000Z');
  ({ context } = await fixture.otherAccount());
  const company = await createCompany(context, {
    name: 'Owing Inc',
    entity_type: 'c_corp',
    jurisdiction: 'US-DE',
    timezone: 'America/New_York',
  });
  company_id = company.id;
});

const resync = () => resyncCompliance(context, { company_id });
const filings = async () => (await listFilings(context, { company_id, limit: 200, order: 'asc' })).data;
const auditsOf = (action: string) => readAudits(context, { action }, 'after');
const plannedOf = ({ type, title, jurisdiction, period_start, period_end, due_date, obligation_key }: Filing) => {
  return { type, title, jurisdiction, period_start, period_end, due_date, obligation_key };
};
const threeForms = ['us.form_940', 'us.form_941', 'us.form_w2'];
const itemOf = async (key: string) =>
  (await getCompliance(context, { company_id })).items.find((item) => item.key === key);

test('a resync opens the filings of the coming twelve months and emits their events, then its own', async () => {
  const report = await resync();
  expect(report).toMatchObject({
    window_start: '2026-11-21',
    window_end: '2027-11-20',
    trigger: 'manual',
    jurisdictions: ['US', 'US-DE'],
    items_total: 8,
    items_added: 8,
    items_changed: 0,
    items_removed: 0,
    filings_opened: 14,
    filings_left_open: [],
  });
  expect(report.warnings).toBeUndefined();
  const opened = await filings();
  expect(opened.map(({ due_date, obligation_key }) => `${due_date} ${obligation_key}`)).toEqual([
    '2026-12-15 us.corporation_estimated_tax',
    '2027-02-01 us.form_941',
    '2027-02-01 us.form_940',
    '2027-02-01 us.form_w2',
    '2027-02-01 us.form_1099_nec',
    '2027-03-01 us-de.corporation_annual_report',
    '2027-03-31 us.information_returns',
    '2027-04-15 us.form_1120',
    '2027-04-15 us.corporation_estimated_tax',
    '2027-04-30 us.form_941',
    '2027-06-15 us.corporation_estimated_tax',
    '2027-08-02 us.form_941',
    '2027-09-15 us.corporation_estimated_tax',
    '2027-11-01 us.form_941',
  ]);
  const events = (await readFeed(context)).filter(({ type }) => /^(filing|compliance)\./.test(type));
  expect(events.slice(0, -1).map(({ type }) => type)).toEqual(opened.map(() => 'filing.due'));
  expect(events.slice(0, -1).map(({ data }) => data)).toEqual(opened);
  expect([events.at(-1)?.type, events.at(-1)?.data]).toEqual(['compliance.resynced', report]);
  expect(await auditsOf('compliance.resync')).toEqual([{ after: report }]);
  expect(await auditsOf('filings.create')).toEqual([]);
});

test('a second resync opens nothing, but has an event and an audit row', async () => {
  const first = await resync();
  clock.advance(1000);
  const second = await resync();
  expect(second).toEqual({
    ...first,
    resynced_at: '2026-11-21T12:00:01.000Z',
    items_added: 0,
    filings_opened: 0,
  });
  expect(await filings()).toHaveLength(14);
  expect(await readFeed(context, 'filing.due')).toHaveLength(14);
  expect(await readFeed(context, 'compliance.resynced')).toHaveLength(2);
  expect(await auditsOf('compliance.resync')).toHaveLength(2);
});

test('a resync that would open another number of filings than expected stores and emits nothing', async () => {
  const expecting = (expected_count: number) => resyncCompliance(context, { company_id, expected_count });
  await expect(expecting(13)).rejects.toMatchObject({ code: 'count_changed', status: 409, extra: { count: 14 } });
  expect([await filings(), await readFeed(context, 'compliance.resynced')]).toEqual([[], []]);
  expect(await expecting(14)).toMatchObject({ filings_opened: 14 });
  expect(await expecting(0)).toMatchObject({ filings_opened: 0 });
});

test('concurrent resyncs open each filing once', async () => {
  const reports = await Promise.all(Array.from({ length: 8 }, resync));
  expect(reports.map(({ filings_opened }) => filings_opened).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, 14]);
  expect(await filings()).toHaveLength(14);
  expect(await readFeed(context, 'filing.due')).toHaveLength(14);
});

test('a dry run returns what the resync then does, and stores and emits nothing', async () => {
  const byHand = await createFiling(context, {
    company_id,
    type: 'income_tax',
    title: 'Estimated tax, Q4',
    due_date: '2026-12-15',
  });
  const before = [await filings(), await readFeed(context), await auditsOf('compliance.resync')];
  const { dry_run, planned_filings, planned_changes, ...report } = await resyncCompliance(context, {
    company_id,
    dry_run: true,
  });
  expect([await filings(), await readFeed(context), await auditsOf('compliance.resync')]).toEqual(before);
  expect(await getCompliance(context, { company_id })).toMatchObject({ resynced_at: null, items: [] });
  const real = await resync();
  const withoutIds = (value: object): unknown => JSON.parse(JSON.stringify(value).replaceAll(/fil_\w+/g, 'fil'));
  expect([dry_run, withoutIds(report)]).toEqual([true, withoutIds(real)]);
  expect(real).not.toHaveProperty('planned_filings');
  const { id, title, due_date, status } = byHand;
  const opened = (await filings()).filter((filing) => filing.id !== id);
  expect(planned_filings?.map((planned) => planned.due_date)).toEqual(opened.map((filing) => filing.due_date));
  // Those of one day have no order of their own.
  expect(new Set(planned_filings)).toEqual(
    new Set(
      opened.map((filing) => ({
        ...plannedOf(filing),
        likely_duplicates: filing.due_date === due_date ? [{ id, title, due_date, status }] : [],
      })),
    ),
  );
  expect(planned_changes).toEqual(expect.arrayContaining(real.items.map(({ key }) => ({ key, change: 'added' }))));
  expect(await resyncCompliance(context, { company_id, dry_run: true })).toMatchObject({
    planned_filings: [],
    planned_changes: [],
  });
});

test.each<[title: string, filing: Partial<Parameters<typeof createFiling>[1]>, found: string[]]>([
  ['five days earlier', { due_date: '2027-01-27' }, threeForms],
  ['six days earlier', { due_date: '2027-01-26' }, []],
  ['five days later, in the jurisdiction', { due_date: '2027-02-06', jurisdiction: 'US' }, threeForms],
  ['in another jurisdiction', { jurisdiction: 'US-DE' }, []],
  ['of another type', { type: 'other' }, ['us.form_1099_nec']],
  ['that names a form', { title: 'FORM 941 for Q4' }, ['us.form_941', 'us.form_w2']],
])('a filing by hand %s is a likely duplicate of the planned filings that it may be', async (_, filing, found) => {
  const common = { type: 'payroll_tax', title: 'Payroll', due_date: '2027-02-01' } as const;
  const { id } = await createFiling(context, { company_id, ...common, ...filing });
  const { planned_filings = [] } = await resyncCompliance(context, { company_id, dry_run: true });
  const marked = planned_filings.filter(({ likely_duplicates }) => likely_duplicates.some((one) => one.id === id));
  expect(marked.map(({ obligation_key }) => obligation_key).toSorted()).toEqual(found);
});

test('the matrix has the current status of each due date', async () => {
  expect(await getCompliance(context, { company_id })).toMatchObject({
    resynced_at: null,
    items: [],
    items_total: 0,
    warnings: [{ code: 'never_resynced' }],
  });
  const { warnings: _, ...report } = await resync();
  const { warnings, ...matrix } = await getCompliance(context, { company_id });
  expect(warnings).toBeUndefined();
  expect(report).toMatchObject(matrix);
  const [first] = (await itemOf('us.form_941'))?.due_dates ?? [];
  await submitFiling(context, { filing_id: first?.filing_id ?? '' });
  clock.set('2027-03-02T06:00:00Z');
  expect(await itemOf('us.form_941')).toMatchObject({
    status: 'open',
    next_due_date: '2027-04-30',
    due_dates: [{ status: 'submitted' }, { status: 'open' }, { status: 'open' }, { status: 'open' }],
  });
  expect(await itemOf('us-de.corporation_annual_report')).toMatchObject({
    status: 'overdue',
    next_due_date: '2027-03-01',
  });
});

test('a resync changes no existing filing, submitted or open', async () => {
  await resync();
  const [first] = await filings();
  await submitFiling(context, { filing_id: first?.id ?? '', confirmation_number: 'X' });
  const byHand = await createFiling(context, { company_id, type: 'annual_report', due_date: '2027-03-01' });
  const before = await filings();
  clock.advance(86_400_000);
  await resync();
  const after = await filings();
  expect(after.filter(({ id }) => before.some((filing) => filing.id === id))).toEqual(before);
  expect(after).toContainEqual(byHand);
});

test("the window begins with today in the company's time zone", async () => {
  clock.set('2026-12-16T04:59:00Z');
  expect(await resync()).toMatchObject({ window_start: '2026-12-15', window_end: '2027-12-14' });
  expect((await filings())[0]?.due_date).toBe('2026-12-15');
});

test('a due date that passes without a filing is overdue, and the next resync opens the filing late', async () => {
  const ny = await createCompany(context, { name: 'NY', entity_type: 'llc', jurisdiction: 'US-NY' });
  await resyncCompliance(context, { company_id: ny.id });
  clock.set('2028-12-15T12:00:00Z');
  const statement = { key: 'us-ny.biennial_statement', status: 'overdue', next_due_date: '2028-11-30' };
  const read = await getCompliance(context, { company_id: ny.id });
  expect(read.items.find(({ key }) => key === statement.key)).toMatchObject({
    ...statement,
    due_dates: [{ filing_id: null, status: 'overdue' }],
  });
  const report = await resyncCompliance(context, { company_id: ny.id });
  expect(report.items.find(({ key }) => key === statement.key)).toMatchObject({
    ...statement,
    due_dates: [
      { due_date: '2028-11-30', status: 'overdue' },
      { due_date: '2030-11-30', status: 'upcoming' },
    ],
  });
  const { data } = await listFilings(context, { company_id: ny.id, overdue: true, limit: 200, order: 'asc' });
  expect(data.filter(({ obligation_key }) => obligation_key === statement.key)).toMatchObject([
    { due_date: '2028-11-30', status: 'open', overdue: true },
  ]);
  expect(await resyncCompliance(context, { company_id: ny.id })).toMatchObject({ filings_opened: 0, items_changed: 0 });
});
