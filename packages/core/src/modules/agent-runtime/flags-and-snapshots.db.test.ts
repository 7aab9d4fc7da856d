// Risk: a flag is reported twice, a checkpoint mixes two writes, or its secrets are sent to webhooks.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { type AgentFixture, openAgent } from '../../../test/agent-fixture.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import { attachAgent, detachAgent } from '../agents/attach.ts';
import { pauseAgent } from '../agents/pause.ts';
import { createCompany } from '../companies/create.ts';
import { createFlag, listFlags, resolveFlag } from './flags.ts';
import { getRuntimeSnapshot, putRuntimeSnapshot } from './runtime-snapshots.ts';

const clock = createTestClock(new Date());
const fixture = useFixture(clock);
let given: AgentFixture;
beforeEach(async () => {
  // Ids of one millisecond increase up to the 32nd.
  clock.advance(1);
  given = await openAgent(fixture);
});

const raise = (input: Partial<Parameters<typeof createFlag>[1]> = {}) =>
  createFlag(given.context, { ...given.place, title: 'Odd', ...input });
const put = (input: Partial<Parameters<typeof putRuntimeSnapshot>[1]> = {}) =>
  putRuntimeSnapshot(given.context, { agent_id: given.agent_id, runtime: 'r/1', state: 'running', ...input });

test('a paused or detached agent can be flagged, one that was never attached cannot', async () => {
  await pauseAgent(given.context, { agent_id: given.agent_id });
  await detachAgent(given.context, given.place);
  const flag = await raise();
  const second = (await createCompany(given.context, { name: 'Second' })).id;
  await expect(raise({ company_id: second })).rejects.toMatchObject({
    fields: [{ pointer: '/company_id', code: 'company_not_found' }],
  });
  await expect(raise({ action_id: 'act_x' })).rejects.toMatchObject({ fields: [{ pointer: '/action_id' }] });
  await expect(raise({ case_id: 'case_x' })).rejects.toMatchObject({ fields: [{ pointer: '/case_id' }] });
  const found = async (filter: object) =>
    (await listFlags(given.context, { agent_id: given.agent_id, limit: 10, order: 'asc', ...filter })).data.length;
  await resolveFlag(given.context, { flag_id: flag.id });
  await raise({ severity: 'info' });
  expect([await found({}), await found({ status: 'open' }), await found({ severity: 'warning' })]).toEqual([2, 1, 1]);
});

test('a heartbeat with an offset that leads out of the allowed years is rejected', async () => {
  for (const heartbeat_at of ['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00']) {
    await expect(put({ heartbeat_at })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ pointer: '/heartbeat_at', code: 'date_out_of_range' }],
    });
  }
});

test('a snapshot replaces the previous one as a whole, increments its version, and emits an event', async () => {
  const first = await put({
    ...given.place,
    checkpoint: { step: 1 },
    metrics: { queue_depth: 3 },
    heartbeat_at: '2026-03-01T00:00:00Z',
  });
  expect(first).toMatchObject({
    result: 'created',
    version: 1,
    company_id: given.company_id,
    metrics: { queue_depth: 3, actions_24h: null },
    heartbeat_at: '2026-03-01T00:00:00.000Z',
  });
  clock.advance(1_000);
  const { result, ...second } = await put({ state: 'idle' });
  expect(second).toMatchObject({
    id: first.id,
    version: 2,
    state: 'idle',
    company_id: null,
    checkpoint: null,
    metrics: null,
    heartbeat_at: clock.now().toISOString(),
    created_at: first.created_at,
  });
  expect(result).toBe('updated');
  expect(await getRuntimeSnapshot(given.context, { agent_id: given.agent_id })).toEqual(second);
  await put({ state: 'idle' });
  const { events, audits } = await given.traceOf(first.id);
  expect(events.map(({ data, company_id }) => [data['version'], company_id])).toEqual([
    [1, given.company_id],
    [2, undefined],
    [3, undefined],
  ]);
  expect(events[0]).toMatchObject({
    type: 'partner.runtime.snapshot.updated',
    data: { checkpoint: { step: 1 }, checkpoint_truncated: false },
  });
  expect(audits.map(({ action, after }) => [action, after?.['version']])).toEqual([
    ['runtimeSnapshots.put', 1],
    ['runtimeSnapshots.put', 2],
    ['runtimeSnapshots.put', 3],
  ]);
});

test('concurrent snapshots each get their own version', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => put({ checkpoint: { i } })));
  expect(answers.map(({ version }) => version).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(answers.filter(({ result }) => result === 'created')).toHaveLength(1);
  const last = answers.find(({ version }) => version === 8);
  expect(await getRuntimeSnapshot(given.context, { agent_id: given.agent_id })).toMatchObject({
    version: 8,
    checkpoint: last?.checkpoint,
  });
});

test('a checkpoint is returned unchanged, while its event is redacted and at most 16 KiB', async () => {
  const small = { api_key: 'hunter2', text: 'x'.repeat(16_000) };
  const large = { api_key: 'hunter2', text: 'ü'.repeat(16_000) };
  const { id } = await put({ checkpoint: small });
  await put({ checkpoint: large });
  expect((await getRuntimeSnapshot(given.context, { agent_id: given.agent_id })).checkpoint).toEqual(large);
  const { events, audits } = await given.traceOf(id);
  expect(events.map(({ data }) => [data['checkpoint'], data['checkpoint_truncated']])).toEqual([
    [{ ...small, api_key: '[redacted]' }, false],
    [null, true],
  ]);
  expect(JSON.stringify([events, audits])).not.toContain('hunter2');
  expect(audits[1]?.after).toMatchObject({ checkpoint_bytes: Buffer.byteLength(JSON.stringify(large)) });
});

test('any checkpoint is returned unchanged', async () => {
  for (const text of ['"{\\"a\\":1}"', '0', 'false', '[]', '{"__proto__":{"b":1},"2":1,"1":2}', '"null"', '1.5']) {
    await put({ checkpoint: JSON.parse(text) });
    const { checkpoint } = await getRuntimeSnapshot(given.context, { agent_id: given.agent_id });
    expect(JSON.stringify(checkpoint)).toBe(JSON.stringify(JSON.parse(text)));
  }
});

test('all companies of an agent share one snapshot and the right to write it', async () => {
  const second = (await createCompany(given.context, { name: 'Second' })).id;
  await attachAgent(given.context, { agent_id: given.agent_id, company_id: second });
  await put();
  const restricted = { ...given.context, access: { companyIds: [given.company_id] } };
  const input = { ...given.place, runtime: 'r/1', state: 'idle' as const };
  await expect(putRuntimeSnapshot(restricted, input)).rejects.toMatchObject({ code: 'insufficient_scope' });
  await expect(getRuntimeSnapshot(restricted, given.place)).rejects.toMatchObject({ code: 'not_found' });
  await put({ company_id: second });
  await expect(getRuntimeSnapshot(restricted, given.place)).rejects.toMatchObject({ code: 'not_found' });
  await put({ company_id: given.company_id });
  expect((await getRuntimeSnapshot(restricted, given.place)).version).toBe(3);
  expect(await readFeed(given.context, 'partner.runtime.snapshot.updated')).toHaveLength(3);
});

test('a paused agent can’t write a snapshot; one that never did has none', async () => {
  await expect(getRuntimeSnapshot(given.context, given.place)).rejects.toMatchObject({ code: 'not_found' });
  await pauseAgent(given.context, given.place);
  await expect(put(given.place)).rejects.toMatchObject({ extra: { current_status: 'paused' } });
  expect((await put()).version).toBe(1);
  await pauseAgent(given.context, { agent_id: given.agent_id });
  await expect(put()).rejects.toMatchObject({ extra: { current_status: 'paused', allowed: ['active'] } });
});
