// Risk: a replay sends events that the endpoint must not get, omits others, or counts wrongly.
import { beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimAll, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { balances, ReplayStage, since } from '../../../test/replay-stage.ts';
import type { Context } from '../../verbs/context.ts';
import { createCompany } from '../companies/create.ts';
import { applyHealth } from '../deliveries/apply-health.ts';
import { getDelivery } from '../deliveries/read.ts';
import { recordAttempts } from '../deliveries/record-attempts.ts';
import { retryDelivery } from '../deliveries/retry.ts';
import { testEndpoint } from '../events/test-endpoint.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { recoverEndpoint } from './begin.ts';
import { cancelReplay } from './replay.ts';

const fixture = useFixture();
const { core } = fixture;
let context: Context;
let company_id: string;
let stage: ReplayStage;
beforeEach(async () => {
  ({ context, companyId: company_id } = await fixture.otherAccount());
  stage = new ReplayStage(core, context, company_id);
});

describe('selection', () => {
  test('an endpoint that was created later gets everything it never got, once, in the order of the feed', async () => {
    const before = await stage.post(40);
    const endpoint = await stage.endpointOf();
    const [fresh] = await stage.post(1);
    expect(await stage.countOf(endpoint)).toBe(40);
    const replay = await stage.begin(endpoint);
    expect(replay).toMatchObject({
      status: 'running',
      kind: 'replay',
      only: 'missing',
      matched: 40,
      enqueued: 0,
      until: null,
      types: null,
      created_by: context.actor,
    });
    expect(await stage.runToEnd(replay.id, endpoint)).toEqual([fresh, ...before]);
    expect(await stage.read(replay.id)).toMatchObject({
      status: 'completed',
      matched: 40,
      enqueued: 40,
      open: 0,
      delivered: 40,
      failed: 0,
      waiting_for: null,
      finished_at: expect.any(String),
    });
    const made = await stage.deliveriesOf({ replay_id: replay.id });
    expect(made.map(({ event_id }) => event_id)).toEqual(before);
    expect(await getDelivery(context, { delivery_id: made[0]?.id ?? '' })).toMatchObject({
      replay_id: replay.id,
      attempts: [{ n: 1, trigger: 'replay' }],
    });
    expect(await stage.auditsOf(replay.id)).toEqual(['webhookEndpoints.replay', 'replays.complete']);
    expect(await stage.countOf(endpoint)).toBe(0);
  });

  test('missing, failed and all differ by the outcome of events; deliveries in flight are left alone', async () => {
    const never = await stage.post(1);
    const endpoint = await stage.endpointOf();
    const delivered = await stage.post(1);
    await stage.attemptAll(endpoint);
    const failed = await stage.post(1);
    await stage.attemptAll(endpoint, { kind: 'failed' });
    const retrying = await stage.post(1);
    await stage.attemptAll(endpoint, { kind: 'retry', delayMs: 300_000 });
    await stage.post(1);
    expect(await stage.countOf(endpoint)).toBe(2);
    expect(await stage.countOf(endpoint, { only: 'failed' })).toBe(1);
    expect(await stage.countOf(endpoint, { only: 'all' })).toBe(3);
    const sentBy = async (only: string) => {
      await stage.attemptAll(endpoint);
      const { id } = await stage.begin(endpoint, { only });
      return (await stage.runToEnd(id, endpoint)).toSorted();
    };
    const recovered = await recoverEndpoint(context, { endpoint_id: endpoint, since });
    expect(recovered).toMatchObject({ kind: 'recover', only: 'failed', matched: 1 });
    await stage.attemptAll(endpoint);
    expect(await stage.runToEnd(recovered.id, endpoint)).toEqual(failed);
    expect(await stage.auditsOf(recovered.id)).toEqual(['webhookEndpoints.recover', 'replays.complete']);
    expect(await sentBy('failed')).toEqual([]);
    expect(await sentBy('missing')).toEqual(never);
    const again = await sentBy('all');
    expect(again).toEqual(expect.arrayContaining([...never, ...delivered, ...failed]));
    expect(again).not.toContain(retrying[0]);
  });

  test('a failed delivery with a manual retry in flight is skipped until that has failed too', async () => {
    const endpoint = await stage.endpointOf();
    const failed = await stage.post(1);
    await stage.attemptAll(endpoint, { kind: 'failed' });
    const counts = () => Promise.all(['missing', 'failed', 'all'].map((only) => stage.countOf(endpoint, { only })));
    expect(await counts()).toEqual([1, 1, 1]);
    const [given] = await stage.deliveriesOf({ endpoint_id: endpoint });
    await retryDelivery(context, { delivery_id: given?.id ?? '' });
    expect(await counts()).toEqual([0, 0, 0]);
    const retried = await claimAll(core, endpoint);
    expect(await counts()).toEqual([0, 0, 0]);
    for (const only of ['missing', 'failed', 'all']) {
      const { id, matched } = await stage.begin(endpoint, { only });
      await stage.runToEnd(id, endpoint);
      expect([matched, await stage.read(id)]).toMatchObject([0, { status: 'completed', enqueued: 0 }]);
    }
    await settle(core, retried, { kind: 'failed' });
    expect(await counts()).toEqual([1, 1, 1]);
    const { id } = await stage.begin(endpoint, { only: 'failed' });
    expect(await stage.runToEnd(id, endpoint)).toEqual(failed);
  });

  test('events posted during a replay have their own delivery, even for a replay of all', async () => {
    const endpoint = await stage.endpointOf();
    const before = await stage.post(2);
    await stage.attemptAll(endpoint);
    const { id } = await stage.begin(endpoint, { only: 'all' });
    const fresh = await stage.post(1);
    expect(await stage.attemptAll(endpoint)).toEqual(fresh);
    expect(await stage.runToEnd(id, endpoint)).toEqual(before);
  });

  test('a test send to one endpoint is nothing that another one has missed', async () => {
    const tested = await stage.endpointOf();
    const other = await stage.endpointOf({ url: 'http://127.0.0.1:9/other' });
    await testEndpoint(context, { endpoint_id: tested });
    for (const only of ['missing', 'all']) expect(await stage.countOf(other, { only })).toBe(0);
  });

  test('types, company and times narrow it, within what the endpoint subscribes to', async () => {
    const { id: second } = await createCompany(context, { name: 'Second' });
    await stage.post(2);
    const other = await stage.post(3, second);
    const everything = await stage.endpointOf({ events: [] });
    const bound = await stage.endpointOf({ company_id: second });
    expect(await stage.countOf(everything, { types: balances })).toBe(5);
    expect(await stage.countOf(everything, { types: balances, company_id: second })).toBe(3);
    expect(await stage.countOf(everything, { types: ['company.created'] })).toBe(2);
    expect(await stage.countOf(bound)).toBe(3);
    expect(await stage.countOf(bound, { company_id })).toBe(0);
    expect(await stage.countOf(bound, { types: ['company.created'] })).toBe(0);
    const times = await context.database.query<{ at: string }>(
      'SELECT created_at AS at FROM event WHERE id = ANY ($1) ORDER BY at',
      [other],
    );
    const at = new Date(times[1]?.at ?? '').toISOString();
    const earlier = times.filter((row) => Date.parse(row.at) < Date.parse(at)).length;
    expect(await stage.countOf(bound, { until: at })).toBe(earlier);
    expect(await stage.countOf(bound, { since: at })).toBe(3 - earlier);
    expect((await stage.begin(bound, { until: '2999-01-01T00:00:00Z' })).until).toBeNull();
    await updateEndpoint(context, { endpoint_id: bound, events: ['company.updated'] });
    expect(await stage.countOf(bound)).toBe(0);
  });

  test('a payload filter is asked of a hundred events in a step, and leaves none out', async () => {
    const posted = await stage.post(102);
    const last = { op: 'gte', field: 'data.balance_cents', value: 100 } as const;
    const endpoint = await stage.endpointOf({ filter: last });
    const { id } = await stage.begin(endpoint);
    const read = async (what: string) =>
      (await core.database.query<{ it: unknown }>(`SELECT ${what} AS it FROM replay r WHERE id = $1`, [id]))[0]?.it;
    const events = 'FROM event ev WHERE ev.account_id = r.account_id';
    await stage.step();
    expect(await read(`(SELECT count(*)::int ${events} AND ev.position <= cursor_position)`)).toBe(100);
    expect(await stage.runToEnd(id, endpoint)).toEqual(posted.slice(100));
  });

  test('a failing endpoint never gets its own failing event, not even by a replay', async () => {
    const failing = await stage.endpointOf();
    const other = await stage.endpointOf({ url: 'http://127.0.0.1:9/other', events: [] });
    const at = new Date();
    const outcome = { kind: 'failure', at } as const;
    const streak = Array.from({ length: 5 }, () => ({ ...outcome }));
    const lastFailure = { statusCode: 500, message: 'oops', eventId: '' };
    await applyHealth(core, { accountId: context.accountId, endpointId: failing, outcomes: streak, lastFailure });
    await updateEndpoint(context, { endpoint_id: failing, events: [] });
    const types = ['webhook_endpoint.failing'];
    expect(await stage.countOf(failing, { types, only: 'all' })).toBe(0);
    await stage.attemptAll(other);
    expect(await stage.countOf(other, { types, only: 'all' })).toBe(1);
  });

  test('times that make no sense and unknown types are rejected; the eleventh replay at once, too', async () => {
    const endpoint = await stage.endpointOf();
    const codesOf = (more: object) =>
      stage.begin(endpoint, more).then(
        () => [],
        (error: { fields?: { pointer: string; code: string }[] }) =>
          error.fields?.map(({ pointer, code }) => [pointer, code]),
      );
    expect(await codesOf({ since: '2999-01-01T00:00:00Z' })).toEqual([['/since', 'out_of_range']]);
    expect(await codesOf({ until: since })).toEqual([['/until', 'out_of_range']]);
    expect(await codesOf({ types: ['bank.balance.updatd'] })).toEqual([['/types/0', 'unknown_event_type']]);
    for (let i = 0; i < 10; i++) await stage.begin(endpoint);
    await expect(stage.begin(endpoint)).rejects.toMatchObject({ code: 'limit_reached' });
  });
});

describe('undelivered events', () => {
  test('lists undelivered events with their reasons, without those that a newer delivery settled', async () => {
    const endpoint = await stage.endpointOf();
    const [gone, rejected] = await stage.post(2);
    await stage.attemptAll(endpoint, { kind: 'failed' });
    const { id } = await stage.begin(endpoint, { until: undefined, only: 'failed' });
    await stage.stepTo(2);
    const claims = await claimAll(core, endpoint);
    await recordAttempts(
      core,
      claims.map((claim) => attemptOf(claim, { kind: claim.eventId === gone ? 'succeeded' : 'failed' })),
    );
    await stage.runToEnd(id, endpoint);
    const [retried] = await stage.post(1);
    await stage.attemptAll(endpoint, { kind: 'retry', delayMs: 300_000 });
    const [waiting] = await stage.post(1);
    const open = async () =>
      (await stage.deliveriesOf({ status: 'undelivered' })).map(({ event_id, status, reason }) => [
        event_id,
        status,
        reason,
      ]);
    expect(await open()).toEqual([
      [
        rejected,
        'failed',
        'The only attempt failed (last: HTTP 500). Retry it, or replay the endpoint’s failed events.',
      ],
      [retried, 'retrying', expect.stringMatching(/^Attempt 1 failed \(HTTP 500\)\. Next attempt at 20.*Z\.$/)],
      [waiting, 'pending', 'Waiting for the first attempt.'],
    ]);
    await updateEndpoint(context, { endpoint_id: endpoint, status: 'paused' });
    const paused = 'The endpoint is paused. Delivery resumes when its status is active again.';
    expect((await open()).slice(1).map(([, , reason]) => reason)).toEqual([paused, paused]);
    await core.database.query(
      "UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'gone' WHERE id = $1",
      [endpoint],
    );
    expect((await open()).at(-1)?.[2]).toBe(
      'The endpoint was disabled because it answered 410 Gone. Delivery resumes when its status is active again.',
    );
    const arrived = await stage.deliveriesOf({ status: 'succeeded' });
    expect(arrived.map(({ event_id, reason }) => [event_id, reason])).toEqual([[gone, null]]);
  });

  test('what failed is outstanding again once the newer delivery of it is cancelled', async () => {
    const endpoint = await stage.endpointOf();
    const [failed] = await stage.post(1);
    await stage.attemptAll(endpoint, { kind: 'failed' });
    const { id } = await stage.begin(endpoint, { only: 'failed' });
    await stage.stepTo(1);
    const open = async () =>
      (await stage.deliveriesOf({ status: 'undelivered' })).map(({ event_id, status }) => [event_id, status]);
    expect(await open()).toEqual([[failed, 'pending']]);
    await cancelReplay(context, { replay_id: id });
    expect(await open()).toEqual([[failed, 'failed']]);
  });
});
