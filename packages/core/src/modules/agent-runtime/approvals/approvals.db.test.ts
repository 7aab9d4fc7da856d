// Risk: an agent acts without permission, because a decision was lost, repeated, too late or its own.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../../test/agent-fixture.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import type { Context } from '../../../verbs/context.ts';
import { createApiKey } from '../../accounts/api-keys/create.ts';
import { createAgent } from '../../agents/create.ts';
import { pauseAgent } from '../../agents/pause.ts';
import { createAction } from '../actions/create.ts';
import { getAgentApproval, listAgentApprovals } from './approval.ts';
import { cancelApproval, decideApproval, expireAgentApprovals } from './decide.ts';
import { requestApproval } from './request.ts';

type Input = Parameters<typeof requestApproval>[1];

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let given: AgentFixture;
beforeEach(async () => {
  // Ids of one millisecond increase up to the 32nd.
  clock.advance(1);
  given = await openAgent(fixture);
});

const ask = (input: Partial<Input> = {}) =>
  requestApproval(given.context, { ...given.place, title: 'May I?', ...input });
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString();
const reviewer = (id: string): Context => ({
  ...given.context,
  keyId: id,
  personId: id,
  actor: { type: 'api_key', id, name: id },
});

test('a request must name an action of this agent and expire in the future; a paused agent can’t request approval', async () => {
  for (const expires_at of [inMinutes(0), '9999-12-31T23:59:59-12:00', '0001-01-01T00:00:00+14:00']) {
    await expect(ask({ expires_at })).rejects.toMatchObject({
      fields: [{ pointer: '/expires_at', code: 'date_out_of_range' }],
    });
  }
  const other = await createAgent(given.context, { name: 'B', provider: 'x', company_id: given.company_id });
  const foreign = await createAction(given.context, { ...given.place, agent_id: other.id, type: 'x' });
  await expect(ask({ action_id: foreign.id })).rejects.toMatchObject({
    fields: [{ pointer: '/action_id', code: 'record_not_found' }],
  });
  await pauseAgent(given.context, given.place);
  await expect(ask()).rejects.toMatchObject({
    code: 'invalid_state_transition',
    extra: { current_status: 'paused' },
  });
});

const decide = (by: Context, agent_approval_id: string, decision: 'approve' | 'deny') =>
  decideApproval(by, { agent_approval_id, decision });
const cancel = (by: Context, agent_approval_id: string) => cancelApproval(by, { agent_approval_id });
const read = (agent_approval_id: string) => getAgentApproval(given.context, { agent_approval_id });
const contradicts = { code: 'invalid_state_transition' };

test('approved, denied and cancelled requests do not expire', async () => {
  const by = reviewer('key_b');
  const ends = [
    (id: string) => decide(by, id, 'approve'),
    (id: string) => decide(by, id, 'deny'),
    (id: string) => cancel(by, id),
  ];
  for (const end of ends) {
    const { id } = await ask({ expires_at: inMinutes(1) });
    const ended = await end(id);
    clock.advance(120_000);
    await expireAgentApprovals(fixture.core, 100);
    expect(await read(id)).toEqual(ended);
  }
});

test('nobody decides on a request of their own person; the person who created an agent’s key may decide on the agent’s', async () => {
  const createKey = async (): Promise<Context> => {
    const key = await createApiKey(given.context, { name: 'Ann', scope: 'human' });
    return { ...reviewer(key.id), personId: key.person_id };
  };
  const [asks, again] = [await createKey(), await createKey()];
  const { id } = await requestApproval(asks, { ...given.place, title: 'May I?' });
  for (const own of [asks, again]) {
    for (const decision of ['approve', 'deny'] as const)
      await expect(decide(own, id, decision)).rejects.toMatchObject({
        code: 'self_review',
        status: 409,
      });
  }
  expect((await decide(reviewer('key_b'), id, 'approve')).status).toBe('approved');
  const agent: Context = { ...given.asAgent(), actor: { type: 'agent', id: given.agent_id, name: 'Bookkeeper' } };
  const asked = await requestApproval(agent, { ...given.place, title: 'May I?' });
  expect(asked.requested_by).toEqual({ ...agent.actor, person_id: given.context.personId });
  const decided = await decide(given.context, asked.id, 'deny');
  expect(decided.status).toBe('denied');
  // Both records show that the agent's key belongs to the person who decides.
  expect(decided.decided_by?.person_id).toBe(asked.requested_by?.person_id);
  const { events } = await given.traceOf(asked.id);
  expect(events.at(-1)).toMatchObject({ data: { requested_by: asked.requested_by, decided_by: decided.decided_by } });
});

test('a decision stores the reviewer, the comment and the edited payload; the same payload with other key order is a repeat', async () => {
  const { id } = await ask({ payload: { amount: 1 } });
  const decision = {
    agent_approval_id: id,
    decision: 'approve' as const,
    comment: 'Less',
    edited_payload: { amount: 0, token: 'x' },
  };
  const decided = await decideApproval(reviewer('key_b'), decision);
  expect(decided).toMatchObject({
    decided_by: { id: 'key_b' },
    decided_at: clock.now().toISOString(),
    decision_comment: 'Less',
    payload: { amount: 1 },
    edited_payload: { amount: 0, token: '[redacted]' },
  });
  expect(await decideApproval(reviewer('key_b'), decision)).toEqual(decided);
  const otherOrder = { ...decision, edited_payload: { token: 'x', amount: -0 } };
  expect(await decideApproval(reviewer('key_b'), otherOrder)).toEqual(decided);
  const other = { ...decision, edited_payload: { amount: 2 } };
  await expect(decideApproval(reviewer('key_b'), other)).rejects.toMatchObject(contradicts);
  const denial = { agent_approval_id: (await ask()).id, decision: 'deny' as const, edited_payload: {} };
  await expect(decideApproval(given.context, denial)).rejects.toMatchObject({
    fields: [{ pointer: '/edited_payload', code: 'not_applicable' }],
  });
});

test('a decision names one of the offered options; another option later is not a repeat', async () => {
  const { id } = await ask({ options: ['now', 'Monday'] });
  const choose = (option: string | undefined, agent_approval_id = id) =>
    decideApproval(reviewer('key_b'), { agent_approval_id, decision: 'approve', option });
  await expect(choose('never')).rejects.toMatchObject({ fields: [{ pointer: '/option', code: 'enum_unknown' }] });
  const decided = await choose('Monday');
  expect(decided).toMatchObject({ status: 'approved', chosen_option: 'Monday' });
  expect(await choose('Monday')).toEqual(decided);
  await expect(choose('now')).rejects.toMatchObject(contradicts);
  const { events } = await given.traceOf(id);
  expect(events.map(({ data }) => data['chosen_option'])).toEqual([null, 'Monday']);

  const notApplicable = { fields: [{ pointer: '/option', code: 'not_applicable' }] };
  await expect(choose('now', (await ask()).id)).rejects.toMatchObject(notApplicable);
  // The option may be omitted, as in earlier versions.
  expect(await choose(undefined, (await ask({ options: ['now'] })).id)).toMatchObject({ chosen_option: null });
});

test('an option has its own decision: the opposite one is rejected, and a denial stores the option too', async () => {
  const offered = [
    'Approve',
    { label: 'Refund', decision: 'deny' as const },
    'Don’t pay',
    { label: 'No', decision: 'approve' as const },
  ];
  const request = await ask({ options: [...offered, 'Approve'] });
  const options = ['Approve', 'Refund', 'Don’t pay', 'No'];
  const option_decisions = ['approve', 'deny', 'deny', 'approve'] as const;
  expect(request).toMatchObject({ options, option_decisions });
  expect((await given.traceOf(request.id)).events).toMatchObject([{ data: { options, option_decisions } }]);
  for (const [i, option] of options.entries()) {
    const made = option_decisions[i] ?? 'approve';
    const { id: agent_approval_id } = await ask({ options: offered });
    const choose = (decision: 'approve' | 'deny') =>
      decideApproval(reviewer('key_b'), { agent_approval_id, decision, option });
    await expect(choose(made === 'deny' ? 'approve' : 'deny')).rejects.toMatchObject({
      code: 'option_contradicts_decision',
      status: 422,
      extra: { option_decision: made },
    });
    expect((await read(agent_approval_id)).status).toBe('pending');
    const decided = await choose(made);
    expect(decided).toMatchObject({ status: made === 'deny' ? 'denied' : 'approved', chosen_option: option });
    expect((await given.traceOf(agent_approval_id)).events[1]).toMatchObject({ data: decided });
  }
  const twice = ask({ options: ['Pay', { label: 'Pay', decision: 'deny' }] });
  await expect(twice).rejects.toMatchObject({ fields: [{ pointer: '/options/1', code: 'already_exists' }] });
});

test('a request of an earlier version gets decisions from its option texts, and null for the persons', async () => {
  const { id } = await ask({ options: ['Pay', 'Deny'] });
  await given.context.database.query(
    `UPDATE agent_approval SET option_decisions = NULL, requested_by = requested_by - 'person_id' WHERE id = $1`,
    [id],
  );
  const derived = { option_decisions: ['approve', 'deny'], requested_by: { person_id: null } };
  expect(await read(id)).toMatchObject(derived);
  const { data } = await listAgentApprovals(given.context, { agent_id: given.agent_id, limit: 1, order: 'desc' });
  expect(data).toMatchObject([derived]);
  const contradiction = { agent_approval_id: id, decision: 'approve' as const, option: 'Deny' };
  await expect(decideApproval(reviewer('key_b'), contradiction)).rejects.toMatchObject({
    code: 'option_contradicts_decision',
  });
  const decided = await decide(reviewer('key_b'), id, 'deny');
  expect(decided).toMatchObject({ ...derived, decided_by: { id: 'key_b', person_id: 'key_b' } });
});

test.each([
  ['approve', 'deny'],
  ['approve', 'approve'],
] as const)('two reviewers at once, %s and %s: one decides, the other is 409', async (one, other) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await ask();
    const results = await Promise.allSettled([
      decide(reviewer('key_a'), id, one),
      decide(reviewer('key_b'), id, other),
    ]);
    const won = results.filter((result) => result.status === 'fulfilled');
    const lost = results.filter((result) => result.status === 'rejected');
    expect([won.length, lost.length]).toEqual([1, 1]);
    const status = won[0]?.value.status;
    expect(lost[0]?.reason).toMatchObject({
      code: 'invalid_state_transition',
      status: 409,
      extra: { current_status: status, allowed: [] },
    });
    const { events, audits } = await given.traceOf(id);
    expect(events.filter(({ type }) => type === 'agent.approval.decided').map(({ data }) => data)).toEqual([
      won[0]?.value,
    ]);
    expect(audits).toHaveLength(2);
    clock.advance(1);
  }
});

test('of a concurrent decision and expiry exactly one counts', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await ask({ expires_at: inMinutes(1) });
    clock.advance(60_000);
    const [decision] = await Promise.allSettled([
      decide(reviewer('key_a'), id, 'approve'),
      expireAgentApprovals(fixture.core, 100),
      expireAgentApprovals(fixture.core, 100),
    ]);
    expect(decision).toMatchObject({ status: 'rejected', reason: { extra: { current_status: 'expired' } } });
    const { events } = await given.traceOf(id);
    expect(events.map(({ data }) => data['status'])).toEqual(['pending', 'expired']);
  }
});

test('an expired request can’t be approved, and its event names the system', async () => {
  const { id } = await ask({ expires_at: inMinutes(1) });
  const later = await ask({ expires_at: inMinutes(2) });
  await ask();
  clock.advance(59_999);
  expect(await expireAgentApprovals(fixture.core, 100)).toBe(0);
  clock.advance(1);
  const late = { code: 'invalid_state_transition', extra: { current_status: 'expired', allowed: [] } };
  await expect(decide(given.context, id, 'approve')).rejects.toMatchObject(late);
  await expect(cancel(given.context, id)).rejects.toMatchObject(late);
  expect(await expireAgentApprovals(fixture.core, 100)).toBe(1);
  expect(await expireAgentApprovals(fixture.core, 100)).toBe(0);
  const record = await read(id);
  expect(record).toMatchObject({
    status: 'expired',
    decided_at: clock.now().toISOString(),
    decided_by: { type: 'system' },
  });
  expect(await readFeed(given.context, 'agent.approval.decided')).toMatchObject([{ data: record }]);
  const { audits } = await given.traceOf(id);
  expect(audits[1]).toMatchObject({
    action: 'agentApprovals.expire',
    company_id: given.company_id,
    actor: { type: 'system' },
    before: { status: 'pending' },
    after: record,
  });
  expect((await read(later.id)).status).toBe('pending');
});

test('from its expiry on it reads as expired everywhere, before the job stores that', async () => {
  const { id } = await ask({ expires_at: inMinutes(1) });
  const page = { agent_id: given.agent_id, limit: 10, order: 'asc' } as const;
  const listed = async (filter: Partial<Parameters<typeof listAgentApprovals>[1]>) =>
    (await listAgentApprovals(given.context, { ...page, ...filter })).data;
  clock.advance(59_999);
  expect((await listed({ status: 'pending' })).map((one) => one.id)).toEqual([id]);
  clock.advance(1);
  const due = clock.now().toISOString();
  clock.advance(10_000);
  const record = await read(id);
  expect(record).toMatchObject({ status: 'expired', decided_at: due, decided_by: { type: 'system' }, updated_at: due });
  for (const round of ['before', 'after']) {
    expect(await read(id), round).toEqual(record);
    expect(await listed({ status: 'pending' }), round).toEqual([]);
    expect(await listed({ status: 'expired' }), round).toEqual([record]);
    expect(await listed({ updated_since: due }), round).toEqual([record]);
    await expireAgentApprovals(fixture.core, 100);
  }
});

test('expiry processes more than its limit, the oldest first, across accounts', async () => {
  clock.advance(600_000);
  await expireAgentApprovals(fixture.core, 100);
  const { context } = given;
  const first = await ask({ expires_at: inMinutes(1) });
  given = await openAgent(fixture);
  const second = await ask({ expires_at: inMinutes(2) });
  clock.advance(600_000);
  expect(await expireAgentApprovals(fixture.core, 1)).toBe(1);
  const listed = await listAgentApprovals(given.context, { agent_id: given.agent_id, limit: 10, order: 'asc' });
  expect(listed.data.map(({ id, status }) => [id, status])).toEqual([[second.id, 'expired']]);
  expect(await readFeed(given.context, 'agent.approval.decided')).toEqual([]);
  expect(await expireAgentApprovals(fixture.core, 1)).toBe(1);
  expect(await expireAgentApprovals(fixture.core, 1)).toBe(0);
  for (const [at, { id }] of [
    [context, first],
    [given.context, second],
  ] as const) {
    expect(await readFeed(at, 'agent.approval.decided')).toMatchObject([{ data: { id, status: 'expired' } }]);
  }
});
