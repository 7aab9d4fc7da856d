// Risk: a runway without a figure is read as zero or as unlimited, or an estimate as a measured one.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  basisText,
  cashOutDay,
  doubtsOf,
  otherRunways,
  raiseByText,
  runwayBefore,
  runwayText,
  runwayTone,
  runwayWindows,
  statusSentence,
} from './runway.view.ts';
import { sampleLine } from './test/sample-line.ts';

test('a runway under three months is critical, one under six is short', () => {
  const tones = [0, 0.3, 2.9, 3, 5.9, 6, null].map((runway_months) => runwayTone(sampleLine({ runway_months })));
  expect(tones).toEqual(['bad', 'bad', 'bad', 'warn', 'warn', undefined, undefined]);
  expect(runwayTone(sampleLine({ status: 'out_of_cash', runway_months: null }))).toBe('bad');
});

test('a figure without doubts has no sentence and nothing to check', () => {
  expect(statusSentence(sampleLine())).toBeUndefined();
  expect(doubtsOf(sampleLine())).toEqual([]);
});

test.each([
  [{}, '6.0 months'],
  [{ runway_months: 130, capped: true }, '10+ years'],
  [{ status: 'cash_flow_positive', runway_months: null }, 'Cash-flow positive'],
  [{ status: 'no_outflow', runway_months: null }, 'No spending'],
  [{ status: 'out_of_cash', runway_months: 0 }, 'Out of cash'],
  [{ status: 'no_transactions', runway_months: null, basis: null, text: 'No transactions yet' }, 'No transactions yet'],
  [{ status: 'no_transactions', runway_months: null, basis: 'balance_delta' }, 'Cash is not falling'],
] as const)('the runway %j is told as %s', (fields, text) => expect(runwayText(sampleLine(fields), [])).toBe(text));

test.each([
  ['no_cash_data', 'no balance'],
  ['no_outflow', 'No money out'],
  ['cash_flow_positive', 'does not run out'],
  ['out_of_cash', 'Cash has run out'],
] as const)('%s has a sentence', (status, words) => {
  expect(statusSentence(sampleLine({ status }))).toContain(words);
});

test('excluded balances differ from missing ones', () => {
  const stream = {
    connection_id: 'a',
    currency: 'USD',
    balance_cents: 1,
    as_of: '2026-03-02',
    received_at: '',
    freshness: 'fresh',
    reason: 'disconnected',
  } as const;
  expect(runwayText(null, [])).toBe('No balance yet');
  expect(runwayText(null, [stream])).toBe('All balances are excluded');
  const none = sampleLine({ status: 'no_cash_data', text: 'No balance yet' });
  expect(runwayText(none, [stream])).toBe('All balances are excluded');
  expect(runwayText({ ...none, currency: 'JPY' }, [stream])).toBe('No balance yet');
  expect(runwayText(sampleLine(), [stream])).toBe('6.0 months');
});

test('a cash-out day is shown only while there is cash: without cash the response repeats the current day', () => {
  expect(cashOutDay(sampleLine())).toBe('2026-09-01');
  expect(cashOutDay(sampleLine({ cash_cents: null, cash_string: '9007199254740993' }))).toBe('2026-09-01');
  expect(cashOutDay(sampleLine({ status: 'out_of_cash', cash_cents: -5 }))).toBeNull();
  expect(cashOutDay(sampleLine({ status: 'no_transactions', basis: 'balance_delta', cash_cents: 0 }))).toBeNull();
});

test('without a basis the missing data is named, and an estimate is marked as one', () => {
  const none = sampleLine({ status: 'no_transactions', basis: null, runway_months: null, window: [] });
  expect(statusSentence(none)).toContain('requires one full month');
  const few = { code: 'few_months', message: 'There is no full month of transactions.' } as const;
  const estimate = sampleLine({
    status: 'no_transactions',
    basis: 'balance_delta',
    window: [],
    confidence_reasons: [few],
  });
  expect(statusSentence(estimate)).toContain('Estimated');
  const nameOf = (id: string | null) => id ?? 'Unassigned';
  expect(basisText(estimate, nameOf)).toContain('up to 90 days');
  const months = { ...estimate, basis: 'transactions', window: ['2026-01', '2026-02'] } as const;
  expect(basisText({ ...months, window: [...months.window] }, nameOf)).toBe('2 full months of bank transactions');
  expect(basisText({ ...estimate, basis_excluded: [null, 'new'] }, nameOf)).toContain('balances: Unassigned, new');
  expect([doubtsOf(none), doubtsOf(estimate)]).toEqual([[], []]);
});

test('a figure of low confidence comes with its reasons', () => {
  const reasons = [
    { code: 'few_months', message: '1 of 3 full months is available.' },
    { code: 'spending_jump', message: 'Money out this month is already more than twice the average.' },
  ] as const;
  expect(doubtsOf(sampleLine({ confidence_reasons: [...reasons] }))).toEqual(reasons.map(({ message }) => message));
});

test('a total has a line for each currency; without one the headline is not repeated', () => {
  type Runway = Parameters<typeof otherRunways>[0];
  const [usd, eur] = [sampleLine(), sampleLine({ currency: 'EUR' })];
  const total = partial<NonNullable<Runway['total']>>(usd);
  expect(otherRunways(partial<Runway>({ headline: total, total, lines: [usd, eur] }))).toEqual([usd, eur]);
  expect(otherRunways(partial<Runway>({ headline: total, total, lines: [usd] }))).toEqual([]);
  expect(otherRunways(partial<Runway>({ headline: eur, total: null, lines: [usd, eur] }))).toEqual([usd]);
});

test.each([
  ['2027-05-25', '2027-05-25'],
  ['2026-11-25', 'now'],
  ['2026-08-24', 'now'],
  [null, undefined],
])('on 25 Nov 2026 a company that has to raise by %s is told: %s', (day, text) => {
  expect(raiseByText(day, '2026-11-25', String)).toBe(text);
});

test('the runway over other numbers of months is beside the one in use, with its own months', () => {
  type Monthly = Parameters<typeof runwayWindows>[0];
  const months = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'].map((month, i) => ({
    month,
    partial: i === 4,
  }));
  const windows = [
    { months: 1, net_burn_cents: -5, runway_months: null },
    { months: 3, net_burn_cents: 9_000, runway_months: 10 },
    { months: 6, net_burn_cents: 1, runway_months: 400.5 },
  ];
  const monthly = partial<Monthly>({ windows, months: partial<Monthly['months']>(months) });
  expect(runwayWindows(monthly, sampleLine())).toEqual([
    { months: ['2026-10'], text: 'No burn', inUse: false },
    { months: ['2026-08', '2026-09', '2026-10'], text: '10.0', inUse: true },
    { months: ['2026-07', '2026-08', '2026-09', '2026-10'], text: '120+', inUse: false },
  ]);
});

test('the runway before is that of the last complete month, of its currency or of all, over as many months', () => {
  type Month = Parameters<typeof runwayBefore>[0]['months'][number];
  const flow = (currency: string, runway_months: number | null) =>
    partial<Month['flows'][number]>({ currency, runway_months, net_burn_3m_cents: null });
  const months = [
    partial<Month>({ month: '2026-09', partial: false, flows: [flow('USD', 1)], total: null }),
    partial<Month>({
      month: '2026-10',
      partial: false,
      flows: [flow('EUR', null), flow('USD', 26.7)],
      total: flow('USD', 9),
    }),
    partial<Month>({ month: '2026-11', partial: true, flows: [flow('USD', null)], total: null }),
  ];
  const line = sampleLine();
  expect(runwayBefore({ months }, line, false)).toEqual({ month: '2026-10', text: '26.7 months' });
  expect(runwayBefore({ months }, line, true)).toEqual({ month: '2026-10', text: '9.0 months' });
  expect(runwayBefore({ months }, { ...line, currency: 'EUR' }, false)).toBeUndefined();
  expect(runwayBefore({ months }, { ...line, window: line.window.slice(1) }, false)).toBeUndefined();
  expect(runwayBefore({ months: months.slice(2) }, line, false)).toBeUndefined();
});
