// Risk: an agent is told of twice or not at all, or works where nobody attached it.
import { createTestClock } from '@finhook/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { agentFields, newAgent, traceOf } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAll, readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../kernel/context.ts';
import { createCase } from '../cases/case.ts';
import { createCompany } from '../companies/create.ts';
import { attachAgent, detachAgent } from './attach.ts';
import { createAgent } from './create.ts';
import { pauseAgent, resumeAgent } from './pause.ts';
import { getAgent, listAgents } from './read.ts';
import { updateAgent } from './update.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let context: Context;
let company_id: string;
beforeEach(async () => {
  clock.advance(1);
  ({ context, companyId: company_id } = await fixture.otherAccount());
});

const anotherCompany = async () => (await createCompany(context, { name: 'Second' })).id;
const newCase = async (companyId: string) => (await createCase(context, { company_id: companyId, title: 'Case' })).id;
/** The agent's events and audit rows since its creation. */
const changesOf = async (agentId: string) => {
  const { events, audits } = await traceOf(context, agentId);
  return { events: events.slice(1), audits: audits.slice(1) };
};

test('an agent is answered, stored, told of and audited with the same fields', async () => {
  const sent = {
    name: 'Ünïcode 😀',
    provider: 'example',
    model: 'ledger-2',
    phone: '+14155550123',
    email: 'a@example.com',
    metadata: { a: '1' },
    company_id,
  };
  const record = await createAgent(context, sent);
  const { company_id: _, ...kept } = sent;
  expect(record).toMatchObject({ ...kept, status: 'active', paused_reason: null, account_id: context.accountId });
  expect(record.bindings).toMatchObject([{ company_id, case_id: null, role: null, status: 'linked' }]);
  expect(await getAgent(context, { agent_id: record.id })).toEqual(record);
  const [event] = await readFeed(context, 'agent.linked');
  expect(event).toMatchObject({ company_id, data: { ...record, binding: record.bindings[0] } });
  const audits = await readAudits(context, { resource_id: record.id }, 'action', 'company_id', 'after');
  expect(audits).toEqual([{ action: 'agents.create', company_id, after: record }]);
});

test('an agent of no company is told of without one', async () => {
  const id = await newAgent(context);
  const [event] = await readFeed(context, 'agent.linked');
  expect(event).not.toHaveProperty('company_id');
  expect(event?.data).toMatchObject({ id, bindings: [], binding: null });
});

test('an update reports what changed, and metadata alone nothing; without a change there is no trace', async () => {
  const agent_id = await newAgent(context, company_id);
  const before = await getAgent(context, { agent_id });
  clock.advance(1_000);
  const updated = await updateAgent(context, { agent_id, model: 'm', email: 'a@example.com', metadata: { k: 'v' } });
  expect(updated).toMatchObject({ model: 'm', email: 'a@example.com', metadata: { k: 'v' } });
  expect(updated.updated_at).not.toBe(before.updated_at);
  await updateAgent(context, { agent_id, metadata: null });
  await updateAgent(context, { agent_id, model: 'm', name: agentFields.name });
  await updateAgent(context, { agent_id });
  await updateAgent(context, { agent_id, model: null, email: 'a@example.com' });
  const { events, audits } = await changesOf(agent_id);
  expect(events.map(({ type, data }) => [type, data['changed'], data['previous']])).toEqual([
    ['agent.updated', ['model', 'email'], { model: null, email: null }],
    ['agent.updated', ['model'], { model: 'm' }],
  ]);
  expect(events[0]).not.toHaveProperty('company_id');
  expect(audits).toHaveLength(3);
  expect(audits[0]).toEqual({
    action: 'agents.update',
    company_id: null,
    actor: context.actor,
    before,
    after: updated,
  });
});

test('the same metadata in another order is no change', async () => {
  const metadata = { zeta: '1', a: '2' };
  const agent = await createAgent(context, { ...agentFields, metadata });
  clock.advance(1_000);
  const again = { agent_id: agent.id, metadata };
  expect((await updateAgent(context, again)).updated_at).toBe(agent.updated_at);
  expect((await changesOf(agent.id)).audits).toEqual([]);
  const changed = await updateAgent(context, { ...again, model: 'm' });
  expect(changed.updated_at).toBe(clock.now().toISOString());
  expect(await getAgent(context, { agent_id: agent.id })).toEqual(changed);
});

type State = 'active' | 'paused';
type BindingState = 'none' | 'linked' | 'paused' | 'unlinked';

async function agentIn(state: State): Promise<string> {
  const id = await newAgent(context);
  if (state === 'paused') await pauseAgent(context, { agent_id: id });
  return id;
}

async function bindingIn(state: BindingState): Promise<string> {
  const id = await newAgent(context, state === 'none' ? undefined : company_id);
  if (state === 'paused') await pauseAgent(context, { agent_id: id, company_id });
  if (state === 'unlinked') await detachAgent(context, { agent_id: id, company_id });
  return id;
}

const agentVerbs = { pause: pauseAgent, resume: resumeAgent };
const bindingVerbs = { ...agentVerbs, attach: attachAgent, detach: detachAgent };

/** State, verb, and the result: a new state with its event, `same` (no trace), or an error. */
const agentMoves: [State, keyof typeof agentVerbs, State | 'same', string?][] = [
  ['active', 'pause', 'paused', 'agent.paused'],
  ['active', 'resume', 'same'],
  ['paused', 'pause', 'same'],
  ['paused', 'resume', 'active', 'agent.resumed'],
];

const bindingMoves: [BindingState, keyof typeof bindingVerbs, string, string?][] = [
  ['none', 'pause', 'not_found'],
  ['none', 'resume', 'not_found'],
  ['none', 'attach', 'linked', 'agent.linked'],
  ['none', 'detach', 'not_found'],
  ['linked', 'pause', 'paused', 'agent.paused'],
  ['linked', 'resume', 'same'],
  ['linked', 'attach', 'same'],
  ['linked', 'detach', 'unlinked', 'agent.unlinked'],
  ['paused', 'pause', 'same'],
  ['paused', 'resume', 'linked', 'agent.resumed'],
  ['paused', 'attach', 'same'],
  ['paused', 'detach', 'unlinked', 'agent.unlinked'],
  ['unlinked', 'pause', 'invalid_state_transition'],
  ['unlinked', 'resume', 'invalid_state_transition'],
  ['unlinked', 'attach', 'linked', 'agent.linked'],
  ['unlinked', 'detach', 'same'],
];

describe('state machine', () => {
  test.each(agentMoves)('a whole agent that is %s: %s gives %s', async (from, verb, to, type) => {
    const agent_id = await agentIn(from);
    const before = await changesOf(agent_id);
    const answer = await agentVerbs[verb](context, { agent_id, reason: 'why' });
    const { events, audits } = await changesOf(agent_id);
    expect(answer).toMatchObject({ status: to === 'same' ? from : to, binding: null });
    expect(await getAgent(context, { agent_id })).toMatchObject({ status: answer.status });
    expect([events.length - before.events.length, audits.length - before.audits.length]).toEqual(
      type === undefined ? [0, 0] : [1, 1],
    );
    if (type === undefined) return;
    const event = events.at(-1);
    expect(event).not.toHaveProperty('company_id');
    expect(event).toMatchObject({
      type,
      data: { scope: 'agent', binding: null, reason: 'why', actor: context.actor, status: to },
    });
    expect(answer.paused_reason).toBe(to === 'paused' ? 'why' : null);
    expect(audits.at(-1)).toMatchObject({ action: `agents.${verb}`, before: { status: from }, after: { status: to } });
  });

  test.each(bindingMoves)('a binding that is %s: %s gives %s', async (from, verb, to, type) => {
    const agent_id = await bindingIn(from);
    const before = await changesOf(agent_id);
    const act = bindingVerbs[verb](context, { agent_id, company_id, reason: 'why' });
    const rejected = to === 'not_found' || to === 'invalid_state_transition';
    if (rejected) {
      await expect(act).rejects.toMatchObject({
        code: to,
        ...(to === 'not_found' ? {} : { extra: { current_status: 'unlinked', allowed: ['linked'] } }),
      });
    } else {
      const answer = await act;
      expect(answer).toMatchObject({ status: 'active', binding: { company_id, status: to === 'same' ? from : to } });
      expect((await getAgent(context, { agent_id })).bindings).toEqual([answer.binding]);
      expect(answer.binding?.unlinked_at === null).toBe(answer.binding?.status !== 'unlinked');
    }
    const { events, audits } = await changesOf(agent_id);
    expect([events.length - before.events.length, audits.length - before.audits.length]).toEqual(
      type === undefined ? [0, 0] : [1, 1],
    );
    if (type === undefined) return;
    expect(events.at(-1)).toMatchObject({ type, company_id, data: { id: agent_id, binding: { status: to } } });
    if (verb !== 'attach') expect(events.at(-1)?.data).toMatchObject({ reason: 'why' });
    expect(audits.at(-1)).toMatchObject({ action: `agents.${verb}`, company_id, after: { status: to } });
  });
});

test('attaching again keeps the binding and its role, and a new role is stored without an event', async () => {
  const agent_id = await newAgent(context);
  const first = await attachAgent(context, { agent_id, company_id, role: 'bookkeeper' });
  await detachAgent(context, { agent_id, company_id });
  clock.advance(1_000);
  const again = await attachAgent(context, { agent_id, company_id });
  expect(again.binding).toMatchObject({ id: first.binding?.id, role: 'bookkeeper', unlinked_at: null });
  expect(again.binding?.linked_at).toBe(clock.now().toISOString());
  const renamed = await attachAgent(context, { agent_id, company_id, role: 'controller' });
  expect(renamed.binding).toMatchObject({ id: first.binding?.id, role: 'controller', status: 'linked' });
  const repeated = await attachAgent(context, { agent_id, company_id });
  expect([first, again, renamed, repeated].map(({ result }) => result)).toEqual([
    'created',
    'updated',
    'updated',
    'unchanged',
  ]);
  const { events, audits } = await changesOf(agent_id);
  expect(events.map(({ type }) => type)).toEqual(['agent.linked', 'agent.unlinked', 'agent.linked']);
  expect(audits.map(({ action }) => action)).toEqual([
    'agents.attach',
    'agents.detach',
    'agents.attach',
    'agents.attach',
  ]);
});

const statesOf = async (agent_id: string) =>
  (await getAgent(context, { agent_id })).bindings.map(({ case_id, status }) => [case_id, status]);

test('bindings to a company and to its cases are apart; a case must be one of the company', async () => {
  const agent_id = await newAgent(context, company_id);
  const case_id = await newCase(company_id);
  const attached = await attachAgent(context, { agent_id, company_id, case_id });
  expect(attached.bindings).toHaveLength(2);
  await pauseAgent(context, { agent_id, company_id, case_id });
  expect(await statesOf(agent_id)).toEqual([
    [null, 'linked'],
    [case_id, 'paused'],
  ]);
  const foreign = await newCase(await anotherCompany());
  for (const wrong of [foreign, 'case_unknown']) {
    await expect(attachAgent(context, { agent_id, company_id, case_id: wrong })).rejects.toMatchObject({
      fields: [{ pointer: '/case_id', code: 'record_not_found' }],
    });
  }
  await expect(pauseAgent(context, { agent_id, case_id })).rejects.toMatchObject({
    fields: [{ pointer: '/company_id', code: 'required' }],
  });
});

test('C43: of many pauses at once, of an agent and of a binding, one is reported', async () => {
  const agent_id = await newAgent(context, company_id);
  for (const place of [{}, { company_id }]) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => pauseAgent(context, { agent_id, ...place, reason: 'race' })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
  const { events, audits } = await changesOf(agent_id);
  expect(events.map(({ type, data }) => [type, data['scope']])).toEqual([
    ['agent.paused', 'agent'],
    ['agent.paused', 'binding'],
  ]);
  expect(audits).toHaveLength(2);
});

test('C43: of many attachments and detachments at once, one is reported', async () => {
  const agent_id = await newAgent(context);
  await Promise.all(Array.from({ length: 8 }, () => attachAgent(context, { agent_id, company_id })));
  await Promise.all(Array.from({ length: 8 }, () => detachAgent(context, { agent_id, company_id })));
  const { events } = await changesOf(agent_id);
  expect(events.map(({ type }) => type)).toEqual(['agent.linked', 'agent.unlinked']);
  expect((await getAgent(context, { agent_id })).bindings).toHaveLength(1);
});

test('a dissolved company takes no agent and changes no binding, and lets one go', async () => {
  const agent_id = await newAgent(context, company_id);
  await context.database.query("UPDATE company SET status = 'dissolved' WHERE id = $1", [company_id]);
  const dissolved = { code: 'company_dissolved' };
  await expect(createAgent(context, { ...agentFields, company_id })).rejects.toMatchObject(dissolved);
  await expect(attachAgent(context, { agent_id, company_id })).rejects.toMatchObject(dissolved);
  await expect(pauseAgent(context, { agent_id, company_id })).rejects.toMatchObject(dissolved);
  expect((await detachAgent(context, { agent_id, company_id })).binding?.status).toBe('unlinked');
});

test('an event of one company tells nothing of the agent’s other companies', async () => {
  const second = await anotherCompany();
  const agent_id = await newAgent(context, company_id);
  await attachAgent(context, { agent_id, company_id: second });
  await pauseAgent(context, { agent_id, company_id });
  await detachAgent(context, { agent_id, company_id });
  const { events } = await changesOf(agent_id);
  expect(events).toHaveLength(3);
  for (const event of events) {
    const other = event.company_id === company_id ? second : company_id;
    expect(JSON.stringify(event)).not.toContain(other);
  }
});

test('C40: agents are listed newest first, each once, by status, provider, company and text', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.push(await newAgent(context, i % 2 === 0 ? company_id : undefined));
  await pauseAgent(context, { agent_id: made[0] ?? '' });
  await detachAgent(context, { agent_id: made[2] ?? '', company_id });
  const seen = await readAll((after) =>
    listAgents(context, { limit: 2, order: 'desc', ...(after === undefined ? {} : { after }) }),
  );
  expect(seen.map(({ id }) => id)).toEqual(made.toReversed());
  const found = async (filter: Partial<Parameters<typeof listAgents>[1]>) =>
    (await listAgents(context, { limit: 50, order: 'asc', ...filter })).data.map(({ id }) => made.indexOf(id));
  expect(await found({ status: 'paused' })).toEqual([0]);
  expect(await found({ company_id })).toEqual([0, 4]);
  expect(await found({ provider: 'other' })).toEqual([]);
  expect(await found({ q: 'bOOk' })).toHaveLength(5);
  expect(await found({ q: '%' })).toEqual([]);
});
