// Risk: an agent that stopped reporting looks healthy.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  type Agent,
  companiesOf,
  formatMicros,
  liveBindings,
  outcomesOf,
  runtimeHealth,
  tabTitle,
} from './agent.view.ts';

const at = '2026-03-01T10:00:00.000Z';
const agent = partial<Agent>({
  bindings: [
    { id: 'bind_1', company_id: 'co_1', status: 'linked', case_id: 'case_1' },
    { id: 'bind_2', company_id: 'co_1', status: 'paused', case_id: null },
    { id: 'bind_3', company_id: 'co_2', status: 'unlinked', case_id: null },
  ],
});

test('active bindings come with whole companies first, and a company counts once', () => {
  expect(liveBindings(agent).map(({ id }) => id)).toEqual(['bind_2', 'bind_1']);
  expect(companiesOf(agent)).toEqual(['co_1']);
  expect(companiesOf(agent, true)).toEqual(['co_1', 'co_2']);
});

test('an ended action has no transition, and a blocked one can still end', () => {
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
  const snapshot = partial<Parameters<typeof runtimeHealth>[0]>({ state, heartbeat_at: at });
  expect(runtimeHealth(snapshot, Date.parse(at) + age).tone).toBe(tone);
});

test('costs are in units of their currency', () => {
  expect([0, 1, 1_250_000, 3_000_000].map(formatMicros)).toEqual(['0', '0.000001', '1.25', '3']);
});

test('a tab counts what is open, and says if there is more', () => {
  expect(tabTitle('Flags')).toBe('Flags');
  expect(tabTitle('Flags', { data: [], has_more: false })).toBe('Flags');
  expect(tabTitle('Flags', { data: [1, 2], has_more: false })).toBe('Flags (2)');
  expect(tabTitle('Flags', { data: [1, 2], has_more: true })).toBe('Flags (2+)');
});
