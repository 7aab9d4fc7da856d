// Risk: an agent that stopped reporting looks healthy.
import { expect, test } from 'vitest';
import { type Agent, companiesOf, formatMicros, liveBindings, outcomesOf, runtimeHealth } from './agent.view.ts';

const at = '2026-03-01T10:00:00.000Z';
const binding = (id: string, company_id: string, status: 'linked' | 'paused' | 'unlinked', case_id: string | null) => ({
  id,
  object: 'agent_binding' as const,
  account_id: 'acct_1',
  agent_id: 'agent_1',
  company_id,
  case_id,
  status,
  role: null,
  linked_at: at,
  unlinked_at: null,
  created_at: at,
  updated_at: at,
});
const agent: Agent = {
  id: 'agent_1',
  object: 'agent',
  account_id: 'acct_1',
  name: 'Bookkeeper',
  provider: 'example',
  model: 'l-2',
  phone: null,
  email: 'b@example.com',
  status: 'active',
  paused_reason: null,
  metadata: { team: 'a' },
  bindings: [
    binding('bind_1', 'co_1', 'linked', 'case_1'),
    binding('bind_2', 'co_1', 'paused', null),
    binding('bind_3', 'co_2', 'unlinked', null),
  ],
  created_at: at,
  updated_at: at,
};
test('live bindings are those not ended, whole companies first; a company counts once', () => {
  expect(liveBindings(agent).map(({ id }) => id)).toEqual(['bind_2', 'bind_1']);
  expect(companiesOf(agent)).toEqual(['co_1']);
  expect(companiesOf(agent, true)).toEqual(['co_1', 'co_2']);
});

test('an action that ended goes nowhere, a blocked one can still end', () => {
  expect(outcomesOf('logged')).toEqual(['completed', 'failed', 'blocked']);
  expect(outcomesOf('blocked')).toEqual(['completed', 'failed']);
  expect(outcomesOf('completed')).toEqual([]);
  expect(outcomesOf('failed')).toEqual([]);
});

test.each([
  ['running', 299_000, 'good'],
  ['running', 301_000, 'warn'],
  ['waiting_approval', 301_000, 'warn'],
  ['error', 0, 'bad'],
  ['stopped', 900_000, 'neutral'],
] as const)('a runtime that is %s and was heard %i ms ago is %s', (state, age, tone) => {
  const snapshot = {
    id: 'rts_1',
    object: 'runtime_snapshot' as const,
    account_id: 'acct_1',
    agent_id: 'agent_1',
    company_id: null,
    runtime: 'x',
    state,
    version: 1,
    checkpoint: null,
    metrics: null,
    heartbeat_at: at,
    created_at: at,
    updated_at: at,
  };
  expect(runtimeHealth(snapshot, Date.parse(at) + age).tone).toBe(tone);
});

test('costs are told in units of their currency', () => {
  expect([0, 1, 1_250_000, 3_000_000].map(formatMicros)).toEqual(['0', '0.000001', '1.25', '3']);
});
