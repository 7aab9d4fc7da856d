// Risk: a rotation loses a secret that receivers still need, or keeps one that has ended.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';
import { loadTargets } from '../deliveries/load-targets.ts';
import { createEndpoint } from './create.ts';
import { deleteEndpoint } from './delete.ts';
import { getEndpoint, listEndpoints } from './read.ts';
import { completeRotation, endSecretOverlaps, rotateSecret } from './rotate-secret.ts';

const clock = createTestClock();
const fixture = useFixture(clock);
let context: Context;
let endpoint: { id: string; secret: string };
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
  endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
});

/** The secrets with which a worker signs. */
const signing = async () => {
  const [target] = await loadTargets(fixture.core, [{ id: endpoint.id, accountId: context.accountId }]);
  if (!target) throw new Error('There is no target.');
  return { current: target.secret(), previous: target.previousSecret?.() };
};
const rotate = (overlap_seconds?: number) =>
  rotateSecret(context, { endpoint_id: endpoint.id, ...(overlap_seconds === undefined ? {} : { overlap_seconds }) });
const audits = () => readAudits(context, { resource_id: endpoint.id }, 'action', 'before', 'after');

test('both secrets sign until the overlap ends by itself, a day later by default', async () => {
  const rotated = await rotate();
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(endpoint.secret);
  expect(rotated.rotation_ends_at).toBe(new Date(clock.now().getTime() + 86_400_000).toISOString());
  expect(await signing()).toEqual({ current: rotated.secret, previous: endpoint.secret });
  clock.advance(86_400_000 - 1);
  expect((await signing()).previous).toBe(endpoint.secret);
  expect(await endSecretOverlaps(fixture.core)).toBe(0);
  clock.advance(1);
  expect(await signing()).toEqual({ current: rotated.secret, previous: undefined });
  // The overlap ends even without the cleanup job.
  expect((await getEndpoint(context, { endpoint_id: endpoint.id })).rotation_ends_at).toBeNull();
  const { data } = await listEndpoints(context, { limit: 9, order: 'desc' });
  expect(data.map(({ rotation_ends_at }) => rotation_ends_at)).toEqual([null]);
  expect(await endSecretOverlaps(fixture.core)).toBe(1);
  const [row] = await fixture.core.database.query('SELECT previous_secret FROM webhook_endpoint WHERE id = $1', [
    endpoint.id,
  ]);
  expect(row).toEqual({ previous_secret: null });
});

test('completing ends it at once, is repeated without effect, and needs no rotation', async () => {
  const complete = () => completeRotation(context, { endpoint_id: endpoint.id });
  const untouched = await complete();
  const { secret } = await rotate(604_800);
  const done = await complete();
  expect(done.rotation_ends_at).toBeNull();
  expect(await signing()).toEqual({ current: secret, previous: undefined });
  expect(await complete()).toEqual(done);
  expect(untouched).toEqual({ ...done, updated_at: untouched.updated_at });
  expect((await audits()).map(({ action }) => action)).toEqual([
    'webhookEndpoints.create',
    'webhookEndpoints.rotateSecret',
    'webhookEndpoints.completeRotation',
  ]);
});

test('a second rotation waits for the end of the overlap, unless it ends every earlier secret at once', async () => {
  const first = await rotate(60);
  await expect(rotate(60)).rejects.toMatchObject({ code: 'invalid_state_transition', status: 409 });
  expect(await signing()).toEqual({ current: first.secret, previous: endpoint.secret });
  const second = await rotate(0);
  expect(second.rotation_ends_at).toBeNull();
  expect(await signing()).toEqual({ current: second.secret, previous: undefined });
  const third = await rotate(60);
  clock.advance(60_000);
  // The overlap ends even without the cleanup job.
  const fourth = await rotate(60);
  expect(await signing()).toEqual({ current: fourth.secret, previous: third.secret });
});

test('a rotation without an overlap leaves no earlier secret in the row', async () => {
  await rotate(60);
  await rotate(0);
  const [row] = await fixture.core.database.query('SELECT previous_secret FROM webhook_endpoint WHERE id = $1', [
    endpoint.id,
  ]);
  expect(row).toEqual({ previous_secret: null });
});

test('of two rotations at once one is made', async () => {
  const results = await Promise.allSettled([rotate(), rotate(), rotate()]);
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.secret] : []));
  expect(made).toEqual([(await signing()).current]);
  expect((await signing()).previous).toBe(endpoint.secret);
});

test('no secret is in the audit log, in a response but the one that made it, or left in the row at the end', async () => {
  const { secret } = await rotate();
  const seen = JSON.stringify([await audits(), await getEndpoint(context, { endpoint_id: endpoint.id })]);
  for (const one of [secret, endpoint.secret]) expect(seen).not.toContain(one);
  await deleteEndpoint(context, { endpoint_id: endpoint.id });
  await expect(rotate()).rejects.toMatchObject({ code: 'not_found' });
  await expect(completeRotation(context, { endpoint_id: endpoint.id })).rejects.toMatchObject({ code: 'not_found' });
  const [row] = await fixture.core.database.query(
    'SELECT secret, previous_secret FROM webhook_endpoint WHERE id = $1',
    [endpoint.id],
  );
  expect(row).toEqual({ secret: null, previous_secret: null });
});
