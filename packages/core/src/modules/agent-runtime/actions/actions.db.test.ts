// Risk: an agent's action is logged twice, its events are out of order, or it keeps a secret.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../../test/agent-fixture.ts';
import { claimAll } from '../../../../test/attempt-of.ts';
import { useFixture } from '../../../../test/core-fixture.ts';
import { createAgent } from '../../agents/create.ts';
import { pauseAgent } from '../../agents/pause.ts';
import { createCompany } from '../../companies/create.ts';
import { listDeliveries } from '../../deliveries/read.ts';
import { createEndpoint } from '../../webhooks/create.ts';
import { requestApproval } from '../approvals/request.ts';
import { getAction } from './action.ts';
import { createAction } from './create.ts';
import { updateAction } from './outcome.ts';

type Input = Parameters<typeof createAction>[1];

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let given: AgentFixture;
beforeEach(async () => {
  // Ids of one millisecond increase up to the 32nd.
  clock.advance(1);
  given = await openAgent(fixture);
});

const log = (input: Partial<Input> = {}) =>
  createAction(given.context, { ...given.place, type: 'email.send', ...input });
const error = { code: 'smtp_550', message: 'Mailbox unknown' };
const blocked = { reason: 'Not on the list' };
const outcomes = { completed: {}, failed: { error }, blocked: { blocked } } as const;
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type.replace('agent.action.', ''));

test.each(Object.entries(outcomes))('an action logged as %s emits agent.action.logged first', async (status, more) => {
  const to = status as keyof typeof outcomes;
  const record = await log({ status: to, ...more, output: { token: 'x', n: 1 } });
  const { events, audits } = await given.traceOf(record.id);
  expect(typesOf(events)).toEqual(['logged', status]);
  expect(events[0]?.data).toMatchObject({
    status: 'logged',
    previous_status: null,
    output: null,
    error: null,
    blocked: null,
    duration_ms: null,
  });
  expect(events[1]?.data).toMatchObject({ status, previous_status: 'logged', output: { token: '[redacted]', n: 1 } });
  expect(audits).toHaveLength(1);
  expect(record.finished_at === null).toBe(to === 'blocked');
});

test('an endpoint receives both events of an action in their order', async () => {
  const endpoint = await createEndpoint(given.context, { url: 'http://127.0.0.1:9/hook' });
  for (let i = 0; i < 6; i++) await log({ status: 'completed' });
  const claimed = (await claimAll(fixture.core, endpoint.id)).map(({ deliveryId }) => deliveryId);
  const { data } = await listDeliveries(given.context, { endpoint_id: endpoint.id, limit: 50, order: 'asc' });
  expect(data.map(({ id }) => id)).toEqual(claimed);
  expect(data.map(({ event_type }) => event_type)).toEqual(
    Array.from({ length: 6 }, () => ['agent.action.logged', 'agent.action.completed']).flat(),
  );
});

test('an external_id is stored once per agent, even when sent many times at once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => log({ external_id: 'same', input: { a: 1 } })));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ result }) => result === 'created')).toHaveLength(1);
  const id = answers[0]?.id ?? '';
  expect((await given.traceOf(id)).events).toHaveLength(1);
  expect((await given.traceOf(id)).audits).toHaveLength(1);
  for (const { warnings } of answers) expect(warnings).toEqual([]);

  const other = await createAgent(given.context, { name: 'B', provider: 'x', company_id: given.company_id });
  expect((await log({ agent_id: other.id, external_id: 'same' })).result).toBe('created');

  const different = await log({ external_id: 'same', input: { a: 2 }, status: 'failed', error });
  expect(different).toMatchObject({ id, result: 'unchanged', status: 'logged', input: { a: 1 } });
  expect(different.warnings).toMatchObject([
    { code: 'duplicate_with_different_content', message: expect.stringContaining('input, status') },
  ]);
  await pauseAgent(given.context, { agent_id: given.agent_id });
  expect((await log({ external_id: 'same', input: { a: 1 } })).id).toBe(id);
});

test('a repeated external_id reports each field that differs, and none for identical content', async () => {
  const ended: Partial<Input> = {
    status: 'failed',
    error: { message: 'Mailbox unknown', code: 'smtp_550' },
    cost: { currency: 'usd', cost_micros: 5 },
    input: { zeta: 1, a: 2 },
    started_at: '2026-03-01T10:00:00+02:00',
    finished_at: '2026-03-01T08:00:02Z',
    duration_ms: 1900,
  };
  const first = await log({ external_id: 'ended', ...ended });
  const stopped: Partial<Input> = { status: 'blocked', blocked: { policy: 'outbound', reason: 'No' } };
  await log({ external_id: 'stopped', ...stopped });
  const reported = async (input: Partial<Input>) =>
    (await log(input)).warnings.map(({ message }) => /another (.*);/.exec(message)?.[1]);
  const again = { external_id: 'ended', ...ended };
  expect(await reported(again)).toEqual([]);
  expect(await reported({ ...again, input: { a: 2, zeta: 1 } })).toEqual([]);
  expect(await reported({ external_id: 'ended', input: { zeta: 1, a: 2 } })).toEqual([]);
  expect(await reported({ external_id: 'stopped', ...stopped })).toEqual([]);
  const others: Partial<Input>[] = [
    { error: { code: 'other', message: 'Mailbox unknown' } },
    { cost: { cost_micros: 6, currency: 'USD' } },
    { started_at: '2026-03-01T07:59:59Z' },
    { finished_at: '2026-03-01T08:00:03Z' },
    { duration_ms: 1901 },
  ];
  for (const other of others) expect(await reported({ ...again, ...other })).toEqual(Object.keys(other));
  const blockedBy = { blocked: { policy: 'other', reason: 'No' } };
  expect(await reported({ external_id: 'stopped', ...stopped, ...blockedBy })).toEqual(['blocked']);
  expect(await getAction(given.context, { action_id: first.id })).toMatchObject({ error: { code: 'smtp_550' } });
});

test('a failed action needs an error, a blocked one a reason, and the end must not precede the start', async () => {
  const faults: [Partial<Input>, string, string][] = [
    [{ status: 'failed' }, '/error', 'required'],
    [{ status: 'blocked' }, '/blocked', 'required'],
    [{ error }, '/error', 'not_applicable'],
    [{ status: 'completed', blocked }, '/blocked', 'not_applicable'],
    [{ duration_ms: 5 }, '/duration_ms', 'not_applicable'],
    [{ status: 'blocked', blocked, finished_at: '2026-01-01T00:00:00Z' }, '/finished_at', 'not_applicable'],
    [{ status: 'completed', finished_at: '2026-01-01T00:00:00Z' }, '/finished_at', 'date_out_of_range'],
    [{ case_id: 'case_unknown' }, '/case_id', 'record_not_found'],
    [{ status: 'blocked', blocked: { ...blocked, approval_id: 'aap_x' } }, '/blocked/approval_id', 'record_not_found'],
  ];
  for (const [input, pointer, code] of faults) {
    await expect(log(input), pointer).rejects.toMatchObject({ code: 'validation_failed', fields: [{ pointer, code }] });
  }
  const { id } = await log();
  await expect(updateAction(given.context, { action_id: id, status: 'failed' })).rejects.toMatchObject({
    fields: [{ pointer: '/error', code: 'required' }],
  });
  const approval = await requestApproval(given.context, { ...given.place, title: 'May I?' });
  const held = { reason: 'Asked', approval_id: approval.id };
  expect((await updateAction(given.context, { action_id: id, status: 'blocked', blocked: held })).blocked).toEqual({
    ...held,
    policy: null,
  });
});

test('the start and the end of an action lie within the allowed years, also with an offset that leads out of them', async () => {
  for (const wild of ['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00', '1969-12-31T23:59:59Z']) {
    const rejection = (pointer: string) => ({
      code: 'validation_failed',
      fields: expect.arrayContaining([expect.objectContaining({ pointer, code: 'date_out_of_range' })]),
    });
    await expect(log({ started_at: wild }), wild).rejects.toMatchObject(rejection('/started_at'));
    const ended = { status: 'completed', finished_at: wild } as const;
    await expect(log(ended), wild).rejects.toMatchObject(rejection('/finished_at'));
    const { id } = await log();
    const update = updateAction(given.context, { action_id: id, ...ended });
    await expect(update, wild).rejects.toMatchObject(rejection('/finished_at'));
  }
});

test('an action never ends before its start, also without an explicit end', async () => {
  const ahead = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  const rejection = { fields: [{ pointer: '/finished_at', code: 'date_out_of_range' }] };
  await expect(log({ started_at: ahead(3_600_000), status: 'completed' })).rejects.toMatchObject(rejection);
  const { id } = await log({ started_at: ahead(3_600_000) });
  await expect(updateAction(given.context, { action_id: id, status: 'completed' })).rejects.toMatchObject(rejection);
  const skewed = await log({ started_at: ahead(2_000), status: 'completed' });
  expect(skewed).toMatchObject({ started_at: ahead(2_000), finished_at: ahead(2_000), duration_ms: 0 });
});

test('an end may have its own time, duration and cost', async () => {
  const record = await log({
    started_at: '2026-03-01T10:00:00Z',
    finished_at: '2026-03-01T10:00:01.500Z',
    status: 'completed',
    cost: { input_tokens: 10, cost_micros: 25, currency: 'eur' },
  });
  expect(record.duration_ms).toBe(1_500);
  expect(record.cost).toEqual({ input_tokens: 10, output_tokens: null, cost_micros: 25, currency: 'EUR' });
  expect((await log({ status: 'completed', duration_ms: 7 })).duration_ms).toBe(7);
});

test('any JSON is stored unchanged', async () => {
  for (const text of [
    '"{\\"a\\":1}"',
    '[]',
    '0',
    'false',
    '{"__proto__":{"b":1},"2":1,"1":2,"é":"\\u0001"}',
    '"null"',
  ]) {
    const { id } = await log({ input: JSON.parse(text) });
    const read = await getAction(given.context, { action_id: id });
    expect(JSON.stringify(read.input)).toBe(JSON.stringify(JSON.parse(text)));
    const [event] = (await given.traceOf(id)).events;
    expect(JSON.stringify(event?.data['input'])).toBe(JSON.stringify(JSON.parse(text)));
  }
});

test('errors name a company that the agent is not attached to, and a paused agent', async () => {
  const second = (await createCompany(given.context, { name: 'Second' })).id;
  await expect(log({ company_id: second })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ pointer: '/company_id', code: 'company_not_found' }],
  });
  await expect(log({ company_id: 'co_unknown' })).rejects.toMatchObject({ code: 'company_not_found' });
  await expect(log({ agent_id: 'agent_unknown' })).rejects.toMatchObject({ code: 'not_found' });
  const { id } = await log();
  const paused = { code: 'invalid_state_transition', extra: { current_status: 'paused' } };
  await pauseAgent(given.context, given.place);
  await expect(log()).rejects.toMatchObject(paused);
  await pauseAgent(given.context, { agent_id: given.agent_id });
  await expect(log()).rejects.toMatchObject(paused);
  expect((await updateAction(given.context, { action_id: id, status: 'completed' })).status).toBe('completed');
});
