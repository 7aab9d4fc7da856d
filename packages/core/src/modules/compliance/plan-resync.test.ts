// Risk: a resync opens a filing twice, omits one, or drops one that is still open.
import { expect, test } from 'vitest';
import type { KnownFiling, MatrixRow } from './matrix.ts';
import { planResync, type ResyncPlan } from './plan-resync.ts';
import type { CompanyFacts } from './select-obligations.ts';

const facts: CompanyFacts = {
  entityType: 'llc',
  country: 'US',
  jurisdiction: 'US-NY',
  fiscalYearEnd: '12-31',
  formedOn: '2026-05-31',
};
const start = { facts, today: '2026-11-21', coveredTo: null, stored: [], filings: [] };

/** The stored rows after a plan. */
function carryOut(
  plan: ResyncPlan,
  earlier: readonly KnownFiling[] = [],
): { coveredTo: string; stored: MatrixRow[]; filings: KnownFiling[] } {
  const filings = [
    ...earlier,
    ...plan.toOpen.map(({ key, due_date }) => ({ id: `fil_${key}_${due_date}`, key, due_date, isOpen: true })),
  ];
  const stored = plan.rows.map((row) => ({
    ...row,
    filing_id: filings.find(({ key, due_date }) => key === row.key && due_date === row.due_date)?.id ?? null,
  }));
  return { coveredTo: plan.windowEnd, stored, filings };
}
const submitted = (filings: readonly KnownFiling[], key: string) =>
  filings.map((filing) => (filing.key === key ? { ...filing, isOpen: false } : filing));
const datesOf = (rows: readonly MatrixRow[], key: string) =>
  rows.filter((row) => row.key === key).map(({ due_date }) => due_date);

test('the first resync opens the filings of the coming twelve months and only lists later ones', () => {
  const plan = planResync(start);
  expect(plan.windowEnd).toBe('2027-11-20');
  expect(datesOf(plan.toOpen, 'us.form_941')).toEqual(['2027-02-01', '2027-04-30', '2027-08-02', '2027-11-01']);
  expect(datesOf(plan.toOpen, 'us-ny.biennial_statement')).toEqual([]);
  expect(datesOf(plan.rows, 'us-ny.biennial_statement')).toEqual(['2028-05-31']);
  expect([plan.added, plan.changed, plan.removed, plan.leftOpen]).toEqual([8, 0, 0, []]);
  const dates = plan.toOpen.map(({ due_date }) => due_date);
  expect(dates).toEqual([...dates].sort());
});

test('a filing due today is opened, one due yesterday is not', () => {
  expect(datesOf(planResync({ ...start, today: '2027-03-15' }).toOpen, 'us-ny.form_it_204_ll')).toEqual(['2027-03-15']);
  expect(datesOf(planResync({ ...start, today: '2027-03-16' }).toOpen, 'us-ny.form_it_204_ll')).toEqual(['2028-03-15']);
});

test('the second resync of a day does nothing', () => {
  const first = planResync(start);
  const second = planResync({ ...start, ...carryOut(first) });
  expect(second).toMatchObject({ toOpen: [], added: 0, changed: 0, removed: 0, leftOpen: [] });
  expect(second.rows.map(({ due_date }) => due_date)).toEqual(first.rows.map(({ due_date }) => due_date));
});

test('a past date stays while its filing is open and goes when it is submitted', () => {
  const first = carryOut(planResync(start));
  const today = '2027-02-02';
  const late = planResync({ facts, today, ...first });
  expect(datesOf(late.rows, 'us.form_w2')).toEqual(['2027-02-01', '2028-01-31']);
  expect(late.leftOpen).toEqual([]);
  const done = planResync({ facts, today, ...first, filings: submitted(first.filings, 'us.form_w2') });
  expect(datesOf(done.rows, 'us.form_w2')).toEqual(['2028-01-31']);
  expect([done.added, done.removed, done.leftOpen]).toEqual([0, 0, []]);
});

test('a submitted filing with a future date is neither opened again nor omitted', () => {
  const first = carryOut(planResync(start));
  const filings = submitted(first.filings, 'us.form_1065');
  const again = planResync({ ...start, ...first, filings });
  expect(again.toOpen).toEqual([]);
  expect(datesOf(again.rows, 'us.form_1065')).toEqual(['2027-03-15']);
});

test('a due date that enters the window gets its filing, which counts as a change', () => {
  const first = carryOut(planResync(start));
  const later = planResync({ facts, today: '2027-06-01', ...first });
  expect(datesOf(later.toOpen, 'us-ny.biennial_statement')).toEqual(['2028-05-31']);
  expect(later.changed).toBeGreaterThan(0);
});

test('dates after the window of the last resync are opened late, listed or not', () => {
  const first = carryOut(planResync(start));
  const late = planResync({ facts, today: '2028-06-15', ...first });
  expect(datesOf(late.toOpen, 'us-ny.biennial_statement')).toEqual(['2028-05-31']);
  expect(datesOf(late.rows, 'us-ny.biennial_statement')).toEqual(['2028-05-31', '2030-05-31']);
  expect(datesOf(late.toOpen, 'us.form_941')).toEqual([
    '2028-01-31',
    '2028-05-01',
    '2028-07-31',
    '2028-10-31',
    '2029-01-31',
    '2029-04-30',
  ]);
  const second = carryOut(late, first.filings);
  expect(planResync({ facts, today: '2028-06-15', ...second })).toMatchObject({ toOpen: [], changed: 0, leftOpen: [] });
});

test('late dates are computed from today’s facts, and submitted filings are not opened again', () => {
  const first = carryOut(planResync(start));
  const moved = { ...facts, formedOn: '2026-04-30' };
  const filings = [...first.filings, { id: 'fil_x', key: 'us.form_941', due_date: '2028-05-01', isOpen: false }];
  const late = planResync({ facts: moved, today: '2028-06-15', ...first, filings });
  expect(datesOf(late.toOpen, 'us-ny.biennial_statement')).toEqual(['2028-04-30']);
  expect(datesOf(late.rows, 'us.form_941')).not.toContain('2028-05-01');
});

test('the last day of the previous window is checked again, because the time zone may have changed', () => {
  const late = planResync({ ...start, today: '2027-08-03', coveredTo: '2027-08-02' });
  expect(datesOf(late.toOpen, 'us.form_941')[0]).toBe('2027-08-02');
  const known = [{ id: 'fil_x', key: 'us.form_941', due_date: '2027-08-02', isOpen: false }];
  const done = planResync({ ...start, today: '2027-08-03', coveredTo: '2027-08-02', filings: known });
  expect(datesOf(done.rows, 'us.form_941')[0]).toBe('2027-11-01');
});

test('another fiscal year moves due dates: old open filings stay and are listed', () => {
  const first = carryOut(planResync(start));
  const moved = planResync({ ...start, ...first, facts: { ...facts, fiscalYearEnd: '06-30' } });
  expect(datesOf(moved.rows, 'us.form_1065')).toEqual(['2027-09-15']);
  expect(moved.leftOpen).toEqual(['fil_us.form_1065_2027-03-15', 'fil_us-ny.form_it_204_ll_2027-03-15']);
  expect([moved.added, moved.changed, moved.removed]).toEqual([0, 2, 0]);
});

test('another state removes the obligations of the first; moving back finds their filings again', () => {
  const first = carryOut(planResync(start));
  const away = planResync({ ...start, ...first, facts: { ...facts, jurisdiction: 'US-FL' } });
  expect([away.added, away.changed, away.removed]).toEqual([1, 0, 2]);
  expect(away.leftOpen).toEqual(['fil_us-ny.form_it_204_ll_2027-03-15']);
  const there = carryOut(away, first.filings);
  const back = planResync({ ...start, ...there });
  expect(back.toOpen).toEqual([]);
  expect([back.added, back.removed]).toEqual([2, 1]);
  expect(back.rows.find(({ key }) => key === 'us-ny.form_it_204_ll')?.filing_id).toBe(
    'fil_us-ny.form_it_204_ll_2027-03-15',
  );
});

test('moving back after a date has passed finds its open filing again, but no submitted one', () => {
  const first = carryOut(planResync(start));
  const filings = submitted(first.filings, 'us.form_1065');
  const today = '2027-03-20';
  const away = planResync({ ...first, filings, today, facts: { ...facts, entityType: 's_corp' } });
  expect(away.leftOpen).toEqual(['fil_us-ny.form_it_204_ll_2027-03-15']);
  const back = planResync({ ...carryOut(away, filings), today, facts });
  expect(datesOf(back.rows, 'us-ny.form_it_204_ll')).toEqual(['2027-03-15', '2028-03-15']);
  expect(back.rows.find(({ key }) => key === 'us-ny.form_it_204_ll')?.filing_id).toBe(
    'fil_us-ny.form_it_204_ll_2027-03-15',
  );
  expect(datesOf(back.rows, 'us.form_1065')).toEqual(['2028-03-15']);
  // Employers' forms were owed all the time: each is listed once.
  expect(datesOf(back.rows, 'us.form_w2')).toEqual(['2027-02-01', '2028-01-31']);
});

test('an open filing whose date a fact moved does not return as overdue when its old date passes', () => {
  const first = carryOut(planResync(start));
  const june = { ...facts, fiscalYearEnd: '06-30' };
  const moved = carryOut(planResync({ ...start, ...first, facts: june }), first.filings);
  const later = planResync({ ...moved, facts: june, today: '2027-03-20' });
  expect(datesOf(later.rows, 'us.form_1065')).toEqual(['2027-09-15']);
});

test('a changed text of a rule is a change of its item', () => {
  const first = carryOut(planResync(start));
  const stored = first.stored.map((row) =>
    row.key === 'us.form_w2' ? { ...row, texts: { ...row.texts, title: 'Older title' } } : row,
  );
  expect(planResync({ ...start, ...first, stored })).toMatchObject({ toOpen: [], changed: 1 });
});
