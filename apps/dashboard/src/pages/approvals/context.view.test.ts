// Risk: a person approves a wire without reading that its account is new, or that the amount is unusual.
import { expect, test } from 'vitest';
import type { Waiting } from '../../components/shell/inbox.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { partial } from '../../test/partial.ts';
import type { Wire } from './approval.view.ts';
import { factsOf, requestFacts } from './context.view.ts';

type Context = Outputs['bank']['approvals']['context'];

const wire = partial<Wire>({
  currency: 'USD',
  connection_id: 'conn_1',
  beneficiary: { name: 'Studio Marlow', bank_name: null, account_last4: '8841', country: null },
});
const account = (account_last4: string, approved_wires = 0) => ({
  account_last4,
  approved_wires,
  last_approved_at: approved_wires === 0 ? null : '2026-02-03T23:30:00.000Z',
});
const payments = (fields: Partial<Context['payments']> = {}): Context['payments'] => ({
  count: 0,
  median_cents: null,
  amount_to_median: null,
  last_paid_at: null,
  read_from: null,
  ...fields,
});
const context = (fields: Partial<Context> = {}) =>
  partial<Context>({
    payments: payments(),
    account: account('8841'),
    other_accounts: [],
    agent_requests: [],
    critical_flags: [],
    paying_account: null,
    ...fields,
  });
const reading = {
  wire,
  zone: 'America/New_York',
  now: Date.parse('2026-03-01T10:00:00.000Z'),
  nameOf: () => 'Operating',
};
const textsOf = (...given: Parameters<typeof factsOf>) => factsOf(...given).map(({ tone, text }) => `${tone}: ${text}`);

test('a known beneficiary: how often it was paid, how the amount compares, and the balance after it', () => {
  const known = context({
    payments: payments({
      count: 14,
      median_cents: 1_162_400,
      amount_to_median: 4.1,
      last_paid_at: '2026-02-03T23:30:00.000Z',
    }),
    account: account('8841', 2),
    paying_account: {
      connection_id: 'conn_1',
      currency: 'USD',
      as_of: '2026-02-28',
      balance_cents: 312_936_300,
      after_cents: 308_116_300,
    },
  });
  expect(textsOf(known, reading)).toEqual([
    'good: 2 earlier approved wires went to account ····8841, the last on 3 Feb 2026.',
    'warn: You paid Studio Marlow 14 times, with a median of $11,624.00; this wire is 4.1 times the median. The last payment was on 3 Feb 2026.',
    'neutral: Operating after payment: $3,081,163.00 (from the balance of 28 Feb 2026).',
  ]);
});

test('a usual amount does not warn, a part of the history is named, and an overdrawn account is bad', () => {
  const usual = context({
    payments: payments({ count: 1, median_cents: 100, amount_to_median: 1, read_from: '2025-07-01T12:00:00.000Z' }),
    paying_account: {
      connection_id: 'conn_1',
      currency: 'USD',
      as_of: '2026-02-28',
      balance_cents: 0,
      after_cents: -100,
    },
  });
  expect(textsOf(usual, reading).slice(1)).toEqual([
    'neutral: You paid Studio Marlow 1 time since 1 Jul 2025, with a median of $1.00; this wire is about the median.',
    'bad: Operating after payment: -$1.00 (from the balance of 28 Feb 2026).',
  ]);
});

test('a beneficiary that was never paid, and one whose account is another one now', () => {
  expect(textsOf(context(), reading)).toEqual([
    'warn: This is the first wire to account ····8841.',
    'warn: You have not paid Studio Marlow in USD before.',
    'neutral: Operating has no balance in USD.',
  ]);
  const moved = context({ other_accounts: [account('2210', 3), account('1', 1)] });
  expect(textsOf(moved, reading)[0]).toBe(
    'bad: This is the first wire to account ····8841. Earlier wires to this beneficiary went to ····2210, ····1.',
  );
  expect(textsOf(context(), { ...reading, wire: { ...wire, connection_id: null } }).at(-1)).toBe(
    'neutral: The wire doesn’t say which account pays it.',
  );
});

test('critical flags and open requests of agents about the beneficiary come first, each with its record', () => {
  const doubts = context({
    critical_flags: [partial<Context['critical_flags'][number]>({ id: 'flag_1', title: 'Bank details changed twice' })],
    agent_requests: [
      partial<Context['agent_requests'][number]>({
        id: 'aap_1',
        title: 'Change the bank details',
        expires_at: '2026-03-01T10:40:00.000Z',
      }),
    ],
  });
  expect(textsOf(doubts, reading).slice(0, 2)).toEqual([
    'bad: Critical flag open: Bank details changed twice',
    'warn: An agent asks: Change the bank details (expires in 40 min)',
  ]);
  expect(factsOf(doubts, reading).map(({ record }) => record?.id)).toEqual([
    'flag_1',
    'aap_1',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a request of an agent: its critical flags, the wires to whom it names, whether it is paused, and a high risk', () => {
  const flag = partial<Context['critical_flags'][number]>({ id: 'flag_1', title: 'Paid twice' });
  const agent = { name: 'Clerk', status: 'paused', paused_reason: 'Under review' } as const;
  const facts = (...given: Parameters<typeof requestFacts>) => requestFacts(...given).map(({ text }) => text);
  const request = {
    company_id: 'co_1',
    title: 'Change the bank details',
    description: null,
    payload: { vendor: 'studio "marlow"' },
    risk: 'high' as const,
  };
  const waits = partial<Waiting>({
    kind: 'wire',
    id: 'apr_1',
    company_id: 'co_1',
    title: 'Studio "Marlow"',
    amount_cents: 4_820_000,
    currency: 'USD',
  });
  const others = [
    { ...waits, company_id: 'co_2' },
    { ...waits, title: 'Landlord' },
    { ...waits, kind: 'agent_request' as const },
  ];
  expect(facts(request, [flag], [...others, waits], agent)).toEqual([
    'Critical flag open: Paid twice',
    'Wire of $48,200.00 to Studio "Marlow" waits for approval.',
    'Clerk is paused: Under review.',
    'The agent rates this request as high risk.',
  ]);
  expect(facts({ ...request, risk: null }, [], [], { ...agent, status: 'active' })).toEqual([
    'Clerk has no open critical flag.',
  ]);
});
