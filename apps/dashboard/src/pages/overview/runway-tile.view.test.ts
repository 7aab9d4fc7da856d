// Risk: a runway without a figure is read as zero or as unlimited, or an estimate as a measured one.
import { expect, test } from 'vitest';
import {
  basisText,
  cashOutDay,
  confidenceText,
  doubtsOf,
  flagsOf,
  runwayText,
  runwayTone,
  statusSentence,
} from './runway-tile.view.ts';
import { sampleLine } from './test/sample-line.ts';

test('a runway under three months is critical, one under six is short', () => {
  const tones = [0, 0.3, 2.9, 3, 5.9, 6, null].map((runway_months) => runwayTone(sampleLine({ runway_months })));
  expect(tones).toEqual(['bad', 'bad', 'bad', 'warn', 'warn', undefined, undefined]);
  expect(runwayTone(sampleLine({ status: 'out_of_cash', runway_months: null }))).toBe('bad');
});

test('a figure without doubts has no sentence and no flags', () => {
  expect(statusSentence(sampleLine())).toBeUndefined();
  expect(flagsOf(sampleLine())).toEqual([]);
  expect(confidenceText(sampleLine())).toBe('Normal: average of 3 full months');
});

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
  expect(confidenceText(none)).toBe('Not enough data');
  const low = { stale: true, mixed_currency: false, low_confidence: true, unexplained: false };
  const few = { code: 'few_months', message: 'There is no full month of transactions.' } as const;
  const fields = { window: [], flags: low, confidence_reasons: [few] };
  const estimate = sampleLine({ status: 'no_transactions', basis: 'balance_delta', ...fields });
  expect(statusSentence(estimate)).toContain('Estimated');
  const nameOf = (id: string | null) => id ?? 'Unassigned';
  expect(basisText(estimate, nameOf)).toContain('up to 90 days');
  expect(basisText({ ...estimate, basis_excluded: [null, 'new'] }, nameOf)).toContain('balances: Unassigned, new');
  expect(confidenceText(estimate)).toBe('Low. Not based on transactions. There is no full month of transactions.');
  expect([doubtsOf(none), doubtsOf(estimate)]).toEqual([[], []]);
  expect(flagsOf(estimate)).toEqual(['Stale data', 'Low confidence']);
});

test('a figure of low confidence comes with its reasons, also “10+ years”', () => {
  const flags = { stale: false, mixed_currency: false, low_confidence: true, unexplained: false };
  const doubted = sampleLine({
    text: '10+ years (low confidence)',
    flags,
    confidence_reasons: [
      { code: 'few_months', message: '1 of 3 full months is available.' },
      { code: 'spending_jump', message: 'Money out this month is already more than twice the mean.' },
    ],
  });
  expect(runwayText(doubted, [])).toBe('10+ years (low confidence)');
  expect(doubtsOf(doubted)).toEqual([
    '1 of 3 full months is available.',
    'Money out this month is already more than twice the mean.',
  ]);
  expect(confidenceText(doubted)).toBe(
    'Low. 1 of 3 full months is available. Money out this month is already more than twice the mean.',
  );
  expect(doubtsOf(sampleLine())).toEqual([]);
});
