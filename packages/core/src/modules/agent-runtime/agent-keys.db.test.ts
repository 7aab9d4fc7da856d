// Risk: an agent's key works for another agent or company, or decides what only a person may decide.
import { operationList, operations } from '@finhook/contracts';
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { attemptOf, claimAll } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { openRawClient } from '../../../test/raw-client.ts';
import { readAll, readFeed } from '../../../test/read-all.ts';
import { changesBetween, readTables } from '../../../test/table-state.ts';
import type { Context } from '../../verbs/context.ts';
import { detachAgent } from '../agents/attach.ts';
import { createAgent } from '../agents/create.ts';
import { pauseAgent } from '../agents/pause.ts';
import { createDirective } from '../cases/directives/directive.ts';
import { createCompany } from '../companies/create.ts';
import { getCurl, getDelivery } from '../deliveries/read.ts';
import { recordAttempts } from '../deliveries/record-attempts.ts';
import { getEvent, listEvents } from '../events/read.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { verifySignature } from '../webhooks/verify-signature.ts';
import { getAction, listActions } from './actions/action.ts';
import { createAction } from './actions/create.ts';
import { updateAction } from './actions/outcome.ts';
import { getAgentApproval, listAgentApprovals } from './approvals/approval.ts';
import { cancelApproval, decideApproval } from './approvals/decide.ts';
import { requestApproval } from './approvals/request.ts';
import { createFlag, getFlag, listFlags } from './flags.ts';
import { getRuntimeSnapshot, putRuntimeSnapshot } from './runtime-snapshots.ts';

const fixture = useFixture();
let given: AgentFixture;
beforeEach(async () => {
  given = await openAgent(fixture);
});

const page = { limit: 10, order: 'asc' } as const;
const state = { runtime: 'r/1', state: 'idle' } as const;

interface Work {
  action_id: string;
  agent_approval_id: string;
  flag_id: string;
}

async function workOf(place: AgentFixture['place']): Promise<Work> {
  const { context } = given;
  const action = await createAction(context, { ...place, type: 'x' });
  const approval = await requestApproval(context, { ...place, title: 'May I?' });
  const flag = await createFlag(context, { ...place, title: 'Odd' });
  await putRuntimeSnapshot(context, { ...place, ...state });
  return { action_id: action.id, agent_approval_id: approval.id, flag_id: flag.id };
}

/** All calls that an agent's key may make about an agent at a company and its records. */
const calls = (key: Context, place: AgentFixture['place'], work: Work): [string, () => Promise<unknown>][] => [
  ['createAction', () => createAction(key, { ...place, type: 'y' })],
  ['requestApproval', () => requestApproval(key, { ...place, title: 'Again?' })],
  ['putRuntimeSnapshot', () => putRuntimeSnapshot(key, { ...place, ...state })],
  ['getRuntimeSnapshot', () => getRuntimeSnapshot(key, place)],
  ['getAction', () => getAction(key, work)],
  ['updateAction', () => updateAction(key, { ...work, status: 'completed' })],
  ['getAgentApproval', () => getAgentApproval(key, work)],
  ['cancelApproval', () => cancelApproval(key, work)],
  ['getFlag', () => getFlag(key, work)],
];

/** Runs each call, which must return and change nothing, and returns the error codes. */
async function errorCodesOf(listed: ReturnType<typeof calls>): Promise<string[]> {
  const raw = await openRawClient(fixture.database.url);
  try {
    const before = await readTables(raw);
    const codes: string[] = [];
    for (const [name, call] of listed) {
      const answer = await call().then(
        (value) => `${name} answered ${JSON.stringify(value)}`,
        (error: unknown) => String(Reflect.get(Object(error), 'code')),
      );
      codes.push(answer);
    }
    expect(changesBetween(before, await readTables(raw))).toEqual({});
    return codes;
  } finally {
    await raw.end();
  }
}

test('another agent’s id and records are unknown to it, at the same company too', async () => {
  const other = await createAgent(given.context, { name: 'B', provider: 'x', company_id: given.company_id });
  const place = { agent_id: other.id, company_id: given.company_id };
  const key = given.asAgent();
  const rejections = await errorCodesOf([
    ...calls(key, place, await workOf(place)),
    ['listActions', () => listActions(key, { ...place, ...page })],
    ['listAgentApprovals', () => listAgentApprovals(key, { ...place, ...page })],
    ['listFlags', () => listFlags(key, { ...place, ...page })],
  ]);
  expect(rejections).toEqual(Array.from({ length: 12 }, () => 'not_found'));
  const mine = await workOf(given.place);
  const theirs = await workOf(place);
  await expect(requestApproval(key, { ...given.place, title: 'x', action_id: theirs.action_id })).rejects.toMatchObject(
    { fields: [{ pointer: '/action_id', code: 'record_not_found' }] },
  );
  expect((await getAction(key, mine)).id).toBe(mine.action_id);
});

/** The subject of an event: its type, and its agent if it has one. */
const subjectOf = ({ type, data }: { type: string; data: Record<string, unknown> }): string =>
  `${type} ${String(data['agent_id'] ?? data['id'])}`;

test('the feed shows it events of its own agent and of the company, but of no other agent', async () => {
  const { context, company_id, agent_id } = given;
  const other = await createAgent(context, { name: 'B', provider: 'x', company_id, phone: '+14155550123' });
  const directive = await createDirective(context, { company_id, title: 'Call the bank' });
  const place = { agent_id: other.id, company_id };
  for (const one of [given.place, place]) {
    const work = await workOf(one);
    await updateAction(context, { ...work, status: 'completed' });
    await decideApproval({ ...context, keyId: 'key_b', personId: 'key_b' }, { ...work, decision: 'deny' });
    await pauseAgent(context, one);
  }
  const feed = await readFeed(context);
  const theirs = feed.filter((event) => subjectOf(event).endsWith(other.id));
  expect(new Set(theirs.map(({ type }) => type)).size).toBe(8);
  const key = given.asAgent();
  const read = await readFeed(key);
  const ofCompany = feed.filter(
    (event) => event.company_id === company_id && event.type !== 'company.created' && !theirs.includes(event),
  );
  expect(read.filter(({ type }) => type !== 'company.created')).toEqual(ofCompany);
  expect(read.map(({ data }) => data['id'])).toContain(directive.id);
  expect(read.filter((event) => subjectOf(event).endsWith(agent_id))).toHaveLength(theirs.length);
  const single = await readAll((after) => listEvents(key, { ...page, limit: 1, ...(after ? { after } : {}) }));
  expect(single).toEqual(read);
  expect((await listEvents(key, { ...page, include: 'total_count' })).total_count).toBe(read.length);
  for (const { id } of read) expect((await getEvent(key, { event_id: id })).id).toBe(id);
  for (const { id } of theirs) {
    await expect(getEvent(key, { event_id: id })).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('deliveries hide the events of other agents from it', async () => {
  const { context, company_id } = given;
  const other = await createAgent(context, { name: 'B', provider: 'x', company_id });
  const endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:9/a', company_id });
  await createAction(context, { agent_id: other.id, company_id, type: 'theirs' });
  await createAction(context, { ...given.place, type: 'mine' });
  const [theirs, mine, ...more] = await claimAll(fixture.core, endpoint.id);
  if (!theirs || !mine || more.length > 0) throw new Error('Two deliveries were to be claimed.');
  const evidence = {
    url: endpoint.url,
    requestHeaders: {},
    responseHeaders: { echo: 'x' },
    remoteAddress: '203.0.113.7',
    timings: { reused: false, dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1 },
  };
  await recordAttempts(
    fixture.core,
    [theirs, mine].map((claim) => ({ ...attemptOf(claim, { kind: 'succeeded' }), evidence })),
  );
  const key = given.asAgent();
  const reported = async ({ deliveryId: delivery_id, eventId, body }: typeof mine) => {
    const [attempt] = (await getDelivery(key, { delivery_id })).attempts;
    const headers = { 'webhook-id': eventId };
    const verified = await verifySignature(key, { endpoint_id: endpoint.id, headers, body: body.toString() });
    const curl = await getCurl(key, { delivery_id, attempt: '1' }).then(
      ({ command }) => command.includes('--data-raw'),
      (error: unknown) => Reflect.get(Object(error), 'code'),
    );
    return [attempt?.response_snippet, attempt?.response_headers, verified.event_id, curl];
  };
  expect(await reported(mine)).toEqual(['ok', { echo: 'x' }, mine.eventId, true]);
  expect(await reported(theirs)).toEqual([null, null, null, 'not_found']);

  // A delivery that was redelivered late outlives its event.
  await fixture.core.database.query('DELETE FROM event WHERE id = ANY ($1)', [[theirs.eventId, mine.eventId]]);
  for (const { deliveryId: delivery_id } of [theirs, mine]) {
    const read = async (as: Context) => (await getDelivery(as, { delivery_id })).attempts[0];
    expect(await read(key)).toMatchObject({ status_code: 200, response_snippet: null, response_headers: null });
    expect(await read(context)).toMatchObject({ response_snippet: 'ok', response_headers: { echo: 'x' } });
  }
});

test('a company that it is not attached to is unknown to it, and so are its own earlier records there', async () => {
  const second = (await createCompany(given.context, { name: 'Second' })).id;
  const work = await workOf(given.place);
  await detachAgent(given.context, given.place);
  // Its key has lost access to the company, or still has it until the change is noticed.
  const [late, key] = [given.asAgent(), given.asAgent(given.agent_id, 'co_none')];
  const acting = ['createAction', 'requestApproval', 'putRuntimeSnapshot'];
  expect(await errorCodesOf(calls(late, given.place, work).filter(([name]) => acting.includes(name)))).toEqual([
    'company_not_found',
    'company_not_found',
    'company_not_found',
  ]);
  const rejections = await errorCodesOf(calls(key, given.place, work));
  expect(rejections.slice(0, 3)).toEqual(['company_not_found', 'company_not_found', 'company_not_found']);
  expect(rejections.slice(3)).toEqual(Array.from({ length: 6 }, () => 'not_found'));
  expect((await listActions(key, { agent_id: given.agent_id, ...page })).data).toEqual([]);
  const elsewhere = { ...given.place, company_id: second };
  await expect(createAction(late, { ...elsewhere, type: 'y' })).rejects.toMatchObject({ code: 'company_not_found' });
});

test('while it or its binding is paused it can read but not act', async () => {
  const work = await workOf(given.place);
  const key = given.asAgent();
  for (const paused of [given.place, { agent_id: given.agent_id }]) {
    await pauseAgent(given.context, paused);
    const rejections = await errorCodesOf(calls(key, given.place, work).slice(0, 3));
    expect(rejections).toEqual(Array.from({ length: 3 }, () => 'invalid_state_transition'));
    expect((await getAction(key, work)).id).toBe(work.action_id);
  }
});

test('it can’t decide approvals, not even past the operation’s scopes', async () => {
  const { agent_approval_id } = await workOf(given.place);
  for (const scope of ['agent', 'read'] as const) {
    const key: Context = { ...given.asAgent(), scope };
    await expect(decideApproval(key, { agent_approval_id, decision: 'approve' })).rejects.toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    });
  }
  expect((await getAgentApproval(given.context, { agent_approval_id })).status).toBe('pending');
});

test('keys of scope agent may change only the agent’s own records', () => {
  const mayChange = operationList.filter(({ kind, scopes }) => kind === 'mutation' && scopes.includes('agent'));
  const own = mayChange.map(({ id }) => id).filter((id) => /^(agent|runtime)/.test(id));
  expect(own.toSorted()).toEqual([
    'agentActions.create',
    'agentActions.update',
    'agentApprovals.cancel',
    'agentApprovals.request',
    'runtimeSnapshots.put',
  ]);
  for (const operation of [operations.apiKeys.create, operations.agents.attach, operations.webhookEndpoints.create]) {
    expect(operation.scopes).toEqual(['human']);
  }
});
