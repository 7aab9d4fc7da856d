// Risk: a doubt about the data is not shown, or an answer changes other settings than its own.
import { expect, test } from 'vitest';
import type { Settings } from '../../../operation/use-change-settings.ts';
import { partial } from '../../../test/partial.ts';
import { type Facts, questionsOf } from './questions.view.ts';

const quality = (fields: Partial<Facts['quality']> = {}) =>
  partial<Facts['quality']>({
    counted_twice: null,
    reconciliation: [],
    freshness: { grade: 'fresh', stale_streams: 0, late_streams: 0 },
    warnings: [],
    ...fields,
  });
const settings = partial<Settings>({
  excluded_connections: ['escrow'],
  accounts: [{ connection_id: 'amex', account_type: 'credit_card' }],
  distinct_connections: [['a', 'b']],
});
type Question = ReturnType<typeof questionsOf>[number];
const textOf = (question: Question | undefined) => (question && 'text' in question ? question.text : undefined);
const answersOf = (question: Question | undefined) => (question?.kind === 'answers' ? question.answers : []);

const facts = (fields: Partial<Facts> = {}): Facts => ({
  quality: quality(),
  cash: partial<Facts['cash']>({ streams: [] }),
  headline: null,
  months: [],
  nameOf: (id) => id ?? 'Unassigned',
  ...fields,
});

type Reconciliation = Facts['quality']['reconciliation'][number];
const reconciled = (connection_id: string | null, fields: Partial<Reconciliation> = {}) =>
  partial<Reconciliation>({
    connection_id,
    currency: 'USD',
    unexplained_cents: 74_000,
    hint: null,
    status: 'warn',
    ...fields,
  });

test('data without doubts asks nothing', () => {
  expect(questionsOf(facts())).toEqual([]);
});

test('of two connections of one account the older one is excluded beside those that are already', () => {
  const counted_twice = {
    connections: [{ connection_id: null, repeats: 'item_A', transactions: 60, repeated_transactions: 60 }],
    figures: [
      { currency: 'USD', cash_cents: 200, cash_once_cents: 100, gross_burn_cents: 40, gross_burn_once_cents: 20 },
      { currency: 'EUR', cash_cents: null, cash_once_cents: null, gross_burn_cents: 2, gross_burn_once_cents: 1 },
    ],
  };
  const [question] = questionsOf(facts({ quality: quality({ counted_twice }) }));
  expect(textOf(question)).toBe(
    'Unassigned has the same transactions as item_A. Are they one account? If it is counted once, cash is $1.00 instead of $2.00, gross burn is $0.20 instead of $0.40, gross burn is €0.01 instead of €0.02.',
  );
  expect(answersOf(question).map(({ label, change }) => [label, change(settings)])).toEqual([
    ['Same account', { excluded_connections: ['escrow', 'none'] }],
    [
      'Different accounts',
      {
        distinct_connections: [
          ['a', 'b'],
          ['none', 'item_A'],
        ],
      },
    ],
  ]);
});

test('an account that looks like a card or a loan is asked for its type', () => {
  const warnings = [{ code: 'account_type_unclear', message: 'Is it a card?', connection_id: null }];
  const [question] = questionsOf(facts({ quality: quality({ warnings }) }));
  expect(textOf(question)).toContain('What is Unassigned?');
  expect(answersOf(question).map(({ label, change }) => [label, change(settings).accounts?.at(-1)])).toEqual([
    ['Credit card', { connection_id: 'none', account_type: 'credit_card' }],
    ['Loan', { connection_id: 'none', account_type: 'loan' }],
    ['Bank account', { connection_id: 'none', account_type: 'depository' }],
  ]);
  expect(answersOf(question)[0]?.change(settings).accounts).toHaveLength(2);
});

test('large inflows come first, each with its transaction; the count of further ones is no question', () => {
  const warnings = [
    { code: 'large_inflow', message: 'Much came in.', transaction_id: 'txn_1', connection_id: 'a' },
    { code: 'large_inflow', message: 'And 3 more.' },
  ];
  expect(questionsOf(facts({ quality: quality({ warnings }) }))).toEqual([
    { id: 'txn_1', kind: 'inflow', transactionId: 'txn_1' },
  ]);
});

test('what no answer solves has a link to its rows', () => {
  const reconciliation = [reconciled(null), reconciled('fine', { status: 'pass' })];
  const freshness = { grade: 'stale', stale_streams: 1, late_streams: 0 } as const;
  const headline = partial<NonNullable<Facts['headline']>>({
    window: ['2026-09', '2026-10'],
    confidence_reasons: [
      { code: 'few_months', message: 'Few.' },
      { code: 'unpaired_transfers', message: 'Unpaired.' },
    ],
  });
  const stream = partial<Facts['cash']['streams'][number]>({ connection_id: 'new', freshness: 'late' });
  const cash = partial<Facts['cash']>({ streams: [stream] });
  const warnings = [{ code: 'silent_connection', message: 'savings is silent.', connection_id: 'savings' }];
  const questions = questionsOf(facts({ quality: quality({ reconciliation, freshness, warnings }), cash, headline }));
  expect(questions.map((one) => (one.kind === 'link' ? [one.text, one.link] : one))).toEqual([
    { id: 'transfers', kind: 'transfers', text: 'Unpaired.', month: '2026-10' },
    ['1 account has old data.', 'stale'],
    ['savings is silent.', 'stale'],
    ['Transactions don’t explain $740.00 of the change in the balance of Unassigned.', 'unexplained'],
  ]);
});

test('an account whose balance is old is no question: it is a line above them', () => {
  const freshness = { grade: 'stale', stale_streams: 1, late_streams: 0 } as const;
  const stream = partial<Facts['cash']['streams'][number]>({ connection_id: 'old', freshness: 'stale' });
  const cash = partial<Facts['cash']>({ streams: [stream] });
  expect(questionsOf(facts({ quality: quality({ freshness }), cash }))).toEqual([]);
});

test('transfers open the month in which most money left uncounted, else the newest', () => {
  const headline = partial<NonNullable<Facts['headline']>>({
    currency: 'USD',
    window: ['2026-08', '2026-09', '2026-10'],
    confidence_reasons: [{ code: 'unpaired_transfers', message: 'Unpaired.' }],
  });
  const left = (month: string, excluded_out_cents: number, excluded_in_cents: number) => {
    const flow = partial<Facts['months'][number]['flows'][number]>({
      currency: 'USD',
      excluded_out_cents,
      excluded_in_cents,
    });
    return partial<Facts['months'][number]>({ month, flows: [flow], total: null });
  };
  const opened = (...months: Facts['months']) =>
    questionsOf(facts({ headline, months })).map((one) => (one.kind === 'transfers' ? one.month : undefined));
  // A round of October came in, and what both sides of a pair moved in August cancels.
  expect(opened(left('2026-08', 900, 900), left('2026-09', 150, 0), left('2026-10', 0, 1_000))).toEqual(['2026-09']);
  expect(opened()).toEqual(['2026-10']);
});
