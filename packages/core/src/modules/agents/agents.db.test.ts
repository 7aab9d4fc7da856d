// Risk: an agent is reported twice or never, acts or reads where it is not attached, or is visible to the wrong key.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { agentFields, asAgent, newAgent, traceOf } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import type { Context } from '../../verbs/context.ts';
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
  // Ids of one millisecond increase up to the 32nd.
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

test('the events of an agent without a company have no company', async () => {
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

test('pausing and resuming report the agent or the binding, the actor and the reason', async () => {
  const agent_id = await newAgent(context, company_id);
  expect(await pauseAgent(context, { agent_id, reason: 'a' })).toMatchObject({ paused_reason: 'a', binding: null });
  expect(await resumeAgent(context, { agent_id, reason: 'b' })).toMatchObject({ paused_reason: null, binding: null });
  await pauseAgent(context, { agent_id, company_id, reason: 'c' });
  await detachAgent(context, { agent_id, company_id, reason: 'd' });
  const { events, audits } = await changesOf(agent_id);
  const about = ({ type, company_id: of, data }: (typeof events)[number]) => [
    type,
    of,
    data['scope'],
    data['reason'],
    data['status'],
    Reflect.get(Object(data['binding']), 'status'),
  ];
  expect(events.map(about)).toEqual([
    ['agent.paused', undefined, 'agent', 'a', 'paused', undefined],
    ['agent.resumed', undefined, 'agent', 'b', 'active', undefined],
    ['agent.paused', company_id, 'binding', 'c', 'active', 'paused'],
    ['agent.unlinked', company_id, undefined, 'd', 'active', 'unlinked'],
  ]);
  for (const { data } of events.slice(0, 3)) expect(data['actor']).toEqual(context.actor);
  expect(audits.map(({ action, before, after }) => [action, before?.['status'], after?.['status']])).toEqual([
    ['agents.pause', 'active', 'paused'],
    ['agents.resume', 'paused', 'active'],
    ['agents.pause', 'linked', 'paused'],
    ['agents.detach', 'paused', 'unlinked'],
  ]);
});

test('a company that the agent was never attached to has no binding to change, and it can be detached from a dissolved one', async () => {
  const agent_id = await newAgent(context);
  for (const verb of [pauseAgent, resumeAgent, detachAgent])
    await expect(verb(context, { agent_id, company_id })).rejects.toMatchObject({ code: 'not_found' });
  await attachAgent(context, { agent_id, company_id });
  await context.database.query("UPDATE company SET status = 'dissolved' WHERE id = $1", [company_id]);
  expect((await detachAgent(context, { agent_id, company_id })).binding?.status).toBe('unlinked');
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
  expect(events[0]?.data['binding']).toEqual(first.binding);
  expect(audits.map(({ action }) => action)).toEqual([
    'agents.attach',
    'agents.detach',
    'agents.attach',
    'agents.attach',
  ]);
});

const statesOf = async (agent_id: string) =>
  (await getAgent(context, { agent_id })).bindings.map(({ case_id, status }) => [case_id, status]);

test('bindings to a company and to its cases are separate; a case must belong to the company', async () => {
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

test('an event of one company reveals nothing about the agent’s other companies', async () => {
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

const restricted = (...companyIds: string[]): Context => ({ ...context, access: { companyIds } });
const NOT_FOUND = { code: 'not_found', message: 'No such agent. Check the id and the account of the API key.' };

test('a restricted key knows the agents of its companies, with their bindings there', async () => {
  const second = await anotherCompany();
  const shared = await newAgent(context, company_id);
  await attachAgent(context, { agent_id: shared, company_id: second });
  const [mine, free] = [await newAgent(context, company_id), await newAgent(context)];
  await newAgent(context, second);
  const key = restricted(company_id);
  const page = { limit: 50, order: 'asc' } as const;
  const listed = (await listAgents(key, page)).data;
  expect(listed.map(({ id }) => id)).toEqual([shared, mine]);
  for (const { bindings } of listed) expect(bindings.map((binding) => binding.company_id)).toEqual([company_id]);
  expect(JSON.stringify(await getAgent(key, { agent_id: shared }))).not.toContain(second);
  expect((await listAgents(key, { ...page, company_id: second })).data).toEqual([]);
  for (const verb of [getAgent, updateAgent, pauseAgent])
    await expect(verb(key, { agent_id: free })).rejects.toMatchObject(NOT_FOUND);
  await expect(attachAgent(key, { agent_id: mine, company_id: second })).rejects.toMatchObject({
    code: 'company_not_found',
  });
  await expect(detachAgent(key, { agent_id: shared, company_id: second })).rejects.toMatchObject({ code: 'not_found' });
});

test('changes of a whole agent need a key with access to all of its companies', async () => {
  const second = await anotherCompany();
  const agent_id = await newAgent(context, company_id);
  await attachAgent(context, { agent_id, company_id: second });
  const key = restricted(company_id);
  const rejected = { code: 'insufficient_scope' };
  await expect(updateAgent(key, { agent_id, name: 'x' })).rejects.toMatchObject(rejected);
  await expect(pauseAgent(key, { agent_id })).rejects.toMatchObject(rejected);
  expect((await pauseAgent(key, { agent_id, company_id })).binding?.status).toBe('paused');
  expect((await updateAgent(restricted(company_id, second), { agent_id, name: 'x' })).name).toBe('x');
  await detachAgent(context, { agent_id, company_id: second });
  expect((await pauseAgent(key, { agent_id })).status).toBe('paused');
  await expect(createAgent(key, agentFields)).rejects.toMatchObject({
    fields: [{ pointer: '/company_id', code: 'required' }],
  });
  expect((await createAgent(key, { ...agentFields, company_id })).bindings).toHaveLength(1);
});

test('an agent’s own key sees no other agent, whatever they share', async () => {
  const [own, other] = [await newAgent(context, company_id), await newAgent(context, company_id)];
  const key = asAgent(context, own, company_id);
  expect((await listAgents(key, { limit: 50, order: 'asc' })).data.map(({ id }) => id)).toEqual([own]);
  expect((await getAgent(key, { agent_id: own })).id).toBe(own);
  await expect(getAgent(key, { agent_id: other })).rejects.toMatchObject(NOT_FOUND);
  const nobody: Context = { ...key, access: { companyIds: [company_id] } };
  expect((await listAgents(nobody, { limit: 50, order: 'asc' })).data).toEqual([]);
  await expect(getAgent(nobody, { agent_id: own })).rejects.toMatchObject(NOT_FOUND);
});
