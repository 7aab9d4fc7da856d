// Risk: a replay repeats or loses events when workers die or compete, delays fresh events, or hides why it waits.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { applyFlows, attemptOf, claimAll, claimThrough, openBreaker, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { openRawClient } from '../../../test/raw-client.ts';
import { patience, ReplayStage, since } from '../../../test/replay-stage.ts';
import type { Database } from '../../db/database.ts';
import type { Context, Core } from '../../verbs/context.ts';
import { recordAttempts } from '../deliveries/record-attempts.ts';
import { deleteEndpoint } from '../webhooks/delete.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { advanceReplay } from './advance-replay.ts';
import { recoverEndpoint } from './begin.ts';
import { cancelReplay, pauseReplay, resumeReplay } from './replay.ts';

const fixture = useFixture();
const { core } = fixture;
let context: Context;
let company_id: string;
let stage: ReplayStage;
beforeEach(async () => {
  ({ context, companyId: company_id } = await fixture.otherAccount());
  stage = new ReplayStage(core, context, company_id);
});

describe('progress', () => {
  test('five workers at once hand over each event once', async () => {
    const before = await stage.post(60);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    const { id: second } = await stage.begin(endpoint);
    const sent: string[] = [];
    await vi.waitFor(async () => {
      await Promise.all(Array.from({ length: 5 }, () => stage.step()));
      sent.push(...(await stage.attemptAll(endpoint)));
      for (const one of [id, second]) expect((await stage.read(one)).status).toBe('completed');
    }, patience);
    expect(sent.toSorted()).toEqual(before.toSorted());
    expect((await stage.read(id)).enqueued + (await stage.read(second)).enqueued).toBe(60);
  });

  test('a worker that dies in a step leaves nothing behind and blocks no other worker', async () => {
    await stage.post(5);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    const before = await stage.read(id);
    const raw = await openRawClient(fixture.database.url);
    await raw.query('BEGIN');
    await raw.query('SELECT FROM replay WHERE id = $1 FOR UPDATE', [id]);
    expect(await advanceReplay(core)).toBeUndefined();
    await raw.end();
    const dying: Core = {
      ...core,
      database: {
        ...core.database,
        forAccount: (accountId) => {
          const database = core.database.forAccount(accountId);
          const transaction: Database['transaction'] = (work) =>
            database.transaction(async (tx) => {
              await work(tx);
              throw new Error('killed');
            });
          return { ...database, transaction };
        },
      },
    };
    await expect(stage.step(dying)).rejects.toThrow('killed');
    expect(await stage.read(id)).toEqual(before);
    expect(await stage.deliveriesOf({ replay_id: id })).toEqual([]);
    expect(await stage.runToEnd(id, endpoint)).toHaveLength(5);
  });

  test('a transaction that is open elsewhere, or in the account before its last statement, delays nothing', async () => {
    const posted = await stage.post(3);
    const raw = await openRawClient(fixture.database.url);
    await raw.query('BEGIN');
    await raw.query('UPDATE company SET legal_name = $2 WHERE id = $1', [company_id, 'Not yet']);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    expect(await stage.runToEnd(id, endpoint)).toEqual(posted);
    expect(await stage.read(id)).toMatchObject({ status: 'completed', matched: 3 });
    await raw.query('ROLLBACK');
    await raw.end();
  });

  test('it keeps few in the work table, and waits while fresh deliveries to the endpoint are late', async () => {
    await stage.post(80);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    await stage.stepTo(32);
    expect(await stage.step()).toMatchObject({ enqueued: 32, open: 32, delivered: 0, waiting_for: null });
    await stage.attemptAll(endpoint);
    const [fresh] = await stage.post(1);
    await core.database.query(`UPDATE due SET due_at = now() - interval '1 second' WHERE event_id = $1`, [fresh]);
    expect(await stage.step()).toMatchObject({ enqueued: 32, delivered: 32, open: 0, waiting_for: 'fresh_events' });
    expect(await stage.attemptAll(endpoint)).toEqual([fresh]);
    expect(await stage.step()).toMatchObject({ enqueued: 40, waiting_for: null });
    expect(await stage.runToEnd(id, endpoint)).toHaveLength(48);
  });

  test('deliveries that are tried again make room, and their end is counted', async () => {
    await stage.post(40);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    await stage.stepTo(32);
    await stage.attemptAll(endpoint, { kind: 'retry', delayMs: 60_000 });
    await stage.stepTo(40);
    await stage.attemptAll(endpoint, { kind: 'failed' });
    expect(await stage.step()).toMatchObject({ open: 32, failed: 8, status: 'running' });
    await core.database.query('UPDATE due SET due_at = now(), next_attempt_at = now() WHERE endpoint_id = $1', [
      endpoint,
    ]);
    await stage.runToEnd(id, endpoint);
    expect(await stage.read(id)).toMatchObject({ status: 'completed', delivered: 32, failed: 8, cancelled: 0 });
  });

  test('an endpoint that is paused, disabled or fails holds it up, and it says so', async () => {
    await stage.post(40);
    const endpoint = await stage.endpointOf();
    await updateEndpoint(context, { endpoint_id: endpoint, status: 'paused' });
    const { id, waiting_for } = await stage.begin(endpoint);
    expect(waiting_for).toBe('endpoint_paused');
    expect(await stage.step()).toMatchObject({ enqueued: 0, waiting_for: 'endpoint_paused' });
    await core.database.query("UPDATE webhook_endpoint SET status = 'disabled' WHERE id = $1", [endpoint]);
    expect(await stage.step()).toMatchObject({ enqueued: 0, waiting_for: 'endpoint_disabled' });
    await updateEndpoint(context, { endpoint_id: endpoint, status: 'active' });
    await core.database.query('UPDATE webhook_endpoint SET consecutive_failures = 5 WHERE id = $1', [endpoint]);
    await stage.stepTo(1);
    expect(await stage.step()).toMatchObject({ enqueued: 1, waiting_for: 'endpoint_failing' });
    await core.database.query('UPDATE webhook_endpoint SET consecutive_failures = 0 WHERE id = $1', [endpoint]);
    expect(await stage.runToEnd(id, endpoint)).toHaveLength(40);
  });

  test('recovering an endpoint whose breaker is open sends the first event at once, and its success opens the way', async () => {
    const endpoint = await stage.endpointOf();
    const events = await stage.post(3);
    await stage.attemptAll(endpoint, { kind: 'failed' });
    await openBreaker(context, endpoint);
    const [fresh] = await stage.post(1);
    await core.database.query(
      "UPDATE due SET due_at = now() - interval '1 second', next_attempt_at = now() - interval '1 second' WHERE event_id = $1",
      [fresh],
    );
    const { id } = await recoverEndpoint(context, { endpoint_id: endpoint, since });
    await stage.stepTo(1);
    expect(await stage.read(id)).toMatchObject({ enqueued: 1, waiting_for: null });
    const gated = await claimThrough(core, endpoint, 10);
    expect(gated.claims).toMatchObject([{ eventId: events[0], trigger: 'manual', scheduled: true }]);
    expect(await stage.step()).toMatchObject({ enqueued: 1, waiting_for: 'endpoint_failing' });
    await settle(core, gated.claims);
    await applyFlows(context, endpoint, { kind: 'success', requested: true });
    expect(await stage.attemptAll(endpoint)).toEqual([fresh]);
    expect(await stage.runToEnd(id, endpoint)).toEqual(events.slice(1));
  });

  test('recovering an ordered endpoint tries the head that blocks it now', async () => {
    const endpoint = await stage.endpointOf({ ordered: true });
    await stage.post(1);
    let head = '';
    await vi.waitFor(async () => {
      const gated = await claimThrough(core, endpoint, 1);
      const [claim] = gated.claims;
      if (!claim) throw new Error('Nothing was claimed.');
      head = claim.deliveryId;
      await settle(core, [claim], { kind: 'retry', delayMs: 86_400_000 });
    }, patience);
    await recoverEndpoint(context, { endpoint_id: endpoint, since });
    const gated = await claimThrough(core, endpoint, 1);
    expect(gated.claims).toMatchObject([{ deliveryId: head, trigger: 'manual' }]);
  });

  test('recovering an ordered endpoint tries a head now that is due and waits for a probe only', async () => {
    const endpoint = await stage.endpointOf({ ordered: true });
    const events = await stage.post(8);
    const given: string[] = [];
    await vi.waitFor(async () => {
      const gated = await claimThrough(core, endpoint, 1);
      const claims = gated.claims;
      given.push(...claims.map(({ eventId }) => eventId));
      await settle(core, claims, { kind: 'failed' });
      expect(given).toEqual(events.slice(0, 5));
    }, patience);
    await openBreaker(context, endpoint);
    const makeDue = `UPDATE due SET due_at = '2026-01-01', next_attempt_at = '2026-01-01'
      WHERE endpoint_id = $1 AND (event_id = $2) = $3`;
    // The state of one transaction; the head is stored last.
    for (const isHead of [false, true]) await core.database.query(makeDue, [endpoint, events[5], isHead]);
    await recoverEndpoint(context, { endpoint_id: endpoint, since });
    await vi.waitFor(async () => {
      const gated = await claimThrough(core, endpoint, 8);
      expect(gated.claims).toMatchObject([{ eventId: events[5], trigger: 'manual' }]);
    }, patience);
  });

  test('the search for the first event is not throttled by an endpoint that fails', async () => {
    const endpoint = await stage.endpointOf({ filter: { field: 'data.balance_cents', op: 'gte', value: 149 } });
    const [last] = (await stage.post(150)).toReversed();
    await stage.attemptAll(endpoint);
    await core.database.query('UPDATE webhook_endpoint SET consecutive_failures = 5 WHERE id = $1', [endpoint]);
    const { id } = await stage.begin(endpoint, { only: 'all' });
    // Open transactions of other tests hold back events.
    await vi.waitFor(async () => {
      expect(await stage.step()).toMatchObject({ enqueued: 0, waiting_for: null });
      const [row] = await core.database.query<{ soon: boolean }>(
        "SELECT next_step_at < clock_timestamp() + interval '1 second' AS soon FROM replay WHERE id = $1",
        [id],
      );
      expect(row).toEqual({ soon: true });
    }, patience);
    await stage.stepTo(1);
    expect(await stage.attemptAll(endpoint)).toEqual([last]);
  });

  test('when its endpoint is deleted it fails, and nothing of it stays due', async () => {
    await stage.post(40);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    await stage.stepTo(32);
    await deleteEndpoint(context, { endpoint_id: endpoint });
    const { enqueued } = await stage.read(id);
    expect(await stage.step()).toMatchObject({
      status: 'failed',
      error: { code: 'endpoint_deleted' },
      enqueued,
      open: 0,
      cancelled: enqueued,
      finished_at: expect.any(String),
    });
    expect(await stage.auditsOf(id)).toEqual(['webhookEndpoints.replay', 'replays.fail']);
    expect(await core.database.query('SELECT FROM due WHERE endpoint_id = $1', [endpoint])).toEqual([]);
    expect(await advanceReplay(core)).toBeUndefined();
  });
});

describe('pausing and cancelling', () => {
  test.each(['before', 'after'])('one that is paused %s its endpoint was deleted fails, too', async (when) => {
    await stage.post(2);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    const pause = () => pauseReplay(context, { replay_id: id });
    if (when === 'before') await pause();
    await deleteEndpoint(context, { endpoint_id: endpoint });
    if (when === 'after') await pause();
    expect(await stage.step()).toMatchObject({ id, status: 'failed', error: { code: 'endpoint_deleted' } });
    expect(await stage.auditsOf(id)).toEqual(['webhookEndpoints.replay', 'replays.pause', 'replays.fail']);
    expect(await stage.step()).toBeUndefined();
  });

  test('a paused replay creates nothing, counts open deliveries, and resumes where it stopped', async () => {
    await stage.post(40);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    await stage.stepTo(32);
    const first = await stage.attemptAll(endpoint);
    const paused = await pauseReplay(context, { replay_id: id });
    expect(paused).toMatchObject({ status: 'paused', delivered: 32, enqueued: 32 });
    expect(await pauseReplay(context, { replay_id: id })).toEqual(paused);
    expect(await stage.step()).toBeUndefined();
    expect(await resumeReplay(context, { replay_id: id })).toMatchObject({ status: 'running' });
    const rest = await stage.runToEnd(id, endpoint);
    expect([...first, ...rest]).toHaveLength(40);
    expect(new Set([...first, ...rest]).size).toBe(40);
    await expect(resumeReplay(context, { replay_id: id })).rejects.toMatchObject({ code: 'invalid_state_transition' });
    expect(await stage.auditsOf(id)).toEqual([
      'webhookEndpoints.replay',
      'replays.pause',
      'replays.resume',
      'replays.complete',
    ]);
  });

  test('cancelling ends waiting deliveries; those in flight still count when they arrive', async () => {
    await stage.post(40);
    const endpoint = await stage.endpointOf();
    const { id } = await stage.begin(endpoint);
    await stage.stepTo(32);
    const claims = await claimAll(core, endpoint, 2);
    const cancelled = await cancelReplay(context, { replay_id: id });
    expect(cancelled).toMatchObject({ status: 'cancelled', open: 2, cancelled: 30, finished_at: expect.any(String) });
    const [arrived, rejected] = claims;
    if (!arrived || !rejected) throw new Error('Nothing was claimed.');
    await recordAttempts(core, [
      attemptOf(arrived, { kind: 'succeeded' }),
      attemptOf(rejected, { kind: 'retry', delayMs: 60_000 }),
    ]);
    expect(await stage.step()).toMatchObject({
      status: 'cancelled',
      open: 0,
      delivered: 1,
      cancelled: 31,
      enqueued: 32,
    });
    expect(await core.database.query('SELECT FROM due WHERE endpoint_id = $1', [endpoint])).toEqual([]);
    expect(await stage.step()).toBeUndefined();
    expect(await stage.countOf(endpoint)).toBe(39);
  });
});
