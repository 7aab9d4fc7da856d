// Risk: something that expires or fails is not on the overview, or its line leads to another record.
import { expect, test } from 'vitest';
import type { Waiting } from '../../../components/shell/inbox.ts';
import { partial } from '../../../test/partial.ts';
import { sampleEndpoint } from '../../settings/webhooks/test/sample-endpoint.ts';
import { type NeedFacts, needsOf } from './needs.view.ts';

const now = Date.parse('2026-03-10T10:00:00.000Z');
const nothing: NeedFacts = {
  companyId: 'co_1',
  waiting: [],
  flags: [],
  agentsRead: undefined,
  overdue: { data: [], total_count: 0 },
  cash: { as_of: '2026-03-10', streams: [] },
  endpoints: [],
  ratesMissing: [],
  mayPutRates: true,
  nameOf: (id) => id ?? 'Unassigned',
  now,
  today: '2026-03-10',
};
type Filing = NonNullable<NeedFacts['overdue']>['data'][number];
type Cash = NonNullable<NeedFacts['cash']>;
const textsOf = (facts: Partial<NeedFacts>) => needsOf({ ...nothing, ...facts }).map(({ text }) => text);
const linksOf = (facts: Partial<NeedFacts>) => needsOf({ ...nothing, ...facts }).map(({ link }) => link);

const wire = (id: string, title: string, amount_cents: number, currency: string): Waiting =>
  partial<Waiting>({ kind: 'wire', id, title, amount_cents, currency, expires_at: '2026-03-12T13:00:00.000Z' });
const request = (id: string, title: string, expires_at: string | null): Waiting =>
  partial<Waiting>({ kind: 'agent_request', id, title, expires_at });

test('nothing to do is no line', () => {
  expect(needsOf(nothing)).toEqual([]);
});

test('a single approval is named, with its time left, and leads to its page', () => {
  const waiting = [
    request('aap_1', 'Change the bank details', '2026-03-10T10:40:00.000Z'),
    wire('apr_1', 'Landlord', 4_820_000, 'USD'),
  ];
  expect(textsOf({ waiting })).toEqual([
    'Agent request expires in 40 min: Change the bank details',
    'Wire of $48,200.00 to Landlord expires in 2 d 3 h',
  ]);
  expect(linksOf({ waiting })).toEqual([
    { to: '/approvals/$approvalId', params: { approvalId: 'aap_1' } },
    { to: '/approvals/$approvalId', params: { approvalId: 'apr_1' } },
  ]);
});

test('several are one line for each kind, that with the soonest deadline first: wires lead to the inbox, requests to the first', () => {
  const waiting = [
    wire('apr_1', 'Landlord', 4_820_000, 'USD'),
    wire('apr_2', 'Notary', 1_850_000, 'EUR'),
    request('aap_1', 'Send the reminder', null),
    request('aap_2', 'Pay', null),
    request('aap_3', 'Call', null),
  ];
  expect(textsOf({ waiting })).toEqual([
    '2 wires: $48,200.00, €18,500.00. The first expires in 2 d 3 h.',
    'Agent request: Send the reminder. 2 more wait.',
  ]);
  expect(linksOf({ waiting })).toEqual([
    { to: '/approvals' },
    { to: '/approvals/$approvalId', params: { approvalId: 'aap_1' } },
  ]);
});

test('open critical flags are one line, which leads to the flag, to its agent, or to the agents', () => {
  const flag = (id: string, agent_id: string, title: string) => ({ id, agent_id, title });
  const one = flag('flag_1', 'agent_1', 'Bank details changed twice');
  const same = flag('flag_2', 'agent_1', 'Paid twice');
  const other = flag('flag_3', 'agent_2', 'Silent');
  expect([[one], [one, same], [one, other]].flatMap((flags) => needsOf({ ...nothing, flags }))).toMatchObject([
    {
      text: '1 critical flag: Bank details changed twice',
      link: { params: { agentId: 'agent_1' }, search: { company: 'co_1', tab: 'flags', open: 'flag_1' } },
    },
    {
      text: '2 critical flags: Bank details changed twice, Paid twice',
      link: { params: { agentId: 'agent_1' }, search: { company: 'co_1', tab: 'flags' } },
    },
    { text: '2 critical flags: Bank details changed twice, Silent', link: { to: '/agents' } },
  ]);
});

test('flags of agents that were not read are said to be missing, also if there are no others', () => {
  expect(needsOf({ ...nothing, agentsRead: 24 })).toMatchObject([
    {
      text: 'More than 24 agents: critical flags of the older ones are only in the list of agents',
      link: { to: '/agents' },
    },
  ]);
});

test('overdue filings name the oldest', () => {
  const filing = partial<Filing>({ id: 'fil_1', title: 'Form 941', due_date: '2026-02-12' });
  expect(textsOf({ overdue: { data: [filing], total_count: 1 } })).toEqual(['Form 941 is 26 days overdue']);
  expect(linksOf({ overdue: { data: [filing], total_count: 1 } })).toEqual([
    { to: '/compliance', search: { filing: 'fil_1' } },
  ]);
  expect(textsOf({ overdue: { data: [filing], total_count: 3 } })).toEqual([
    '3 filings are overdue, Form 941 for 26 days',
  ]);
  expect(textsOf({ overdue: { data: [filing], total_count: 1 }, cash: undefined })).toHaveLength(1);
});

test('accounts with stale balances say how old they are; others are no line', () => {
  const stream = (connection_id: string, as_of: string, freshness: 'stale' | 'late') =>
    partial<Cash['streams'][number]>({
      connection_id,
      as_of,
      freshness,
      received_at: '2026-03-10T02:00:00.000Z',
    });
  const old = stream('Berlin', '2026-03-03', 'stale');
  const cash = (...streams: Cash['streams']) => ({ cash: { as_of: '2026-03-10', streams } });
  expect(textsOf(cash(old, stream('Paris', '2026-03-09', 'late')))).toEqual(['Berlin: the balance is 7 days old']);
  expect(textsOf(cash(stream('Rome', '2026-03-10', 'stale')))).toEqual(['Rome: the balance arrived 8 hours ago']);
  expect(textsOf(cash(old, stream('Rome', '2026-03-10', 'stale')))).toEqual([
    '2 accounts have old balances: Berlin, Rome',
  ]);
});

test('an endpoint that fails is a line; one of another company, or that somebody disabled, is none', () => {
  const failing = sampleEndpoint({ description: 'ERP import', consecutive_failures: 5 });
  expect(textsOf({ endpoints: [failing] })).toEqual(['ERP import is failing']);
  expect(linksOf({ endpoints: [failing] })).toEqual([
    { to: '/settings/webhooks/$endpointId', params: { endpointId: failing.id } },
  ]);
  const elsewhere = { ...failing, company_id: 'co_2' };
  const disabled = { ...failing, status: 'disabled' as const, disabled_reason: 'manual' as const };
  expect(textsOf({ endpoints: [elsewhere, disabled, sampleEndpoint()] })).toEqual([]);
});

test('a missing exchange rate is one line, which leads to the form of the rates', () => {
  const ratesMissing = ['EUR', 'JPY'];
  const [need] = needsOf({ ...nothing, ratesMissing });
  expect(need).toEqual({
    id: 'rates',
    text: 'No total: a current exchange rate is missing for EUR, JPY',
    action: 'Enter rates',
    link: { to: '/companies/$companyId', params: { companyId: 'co_1' }, hash: 'exchange-rates' },
  });
  expect(needsOf({ ...nothing, ratesMissing, mayPutRates: false })[0]?.action).toBe('View rates');
});
