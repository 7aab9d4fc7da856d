// Risk: customers don't learn that their endpoint fails, learn it repeatedly, or lose it without a warning.
import type { AttemptOutcome } from '@finhook/delivery';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { claimAll } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import { readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { getEndpoint } from '../webhooks/read.ts';
import { rotateSecret } from '../webhooks/rotate-secret.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { applyHealth, evaluateTimedHealth, recordSuccesses } from './apply-health.ts';
import { loadTargets } from './load-targets.ts';

const HOUR = 3_600_000;
const url = 'http://user:pass@127.0.0.1:4010/hook?token=secret';

// No outcome is later than the database's clock, so these tests move time into the past.
const clock = createTestClock(new Date(Date.now() - 90 * 24 * HOUR));
const fixture = useFixture(clock);
const { core } = fixture;
const raw = useRawClient(fixture);
let context: Context;
let endpoint: string;
let others: string[];
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
  endpoint = (await createEndpoint(context, { url: url.replace('user:pass@', '') })).id;
  others = [];
  for (const events of [[], ['webhook_endpoint.failing'], ['company.created']]) {
    others.push((await createEndpoint(context, { url: 'http://127.0.0.1:4011/', events })).id);
  }
});

const failure = { statusCode: 500, message: 'The receiver answered 500.', eventId: 'evt_x' };
const at = (ms: number) => new Date(clock.now().getTime() + ms);
/** `count` failures, `gapMs` apart, the first of them now. */
const failures = (count: number, gapMs = 1_000): AttemptOutcome[] =>
  Array.from({ length: count }, (_, i) => ({ kind: 'failure', at: at(i * gapMs) }));
const apply = (outcomes: readonly AttemptOutcome[], endpointId = endpoint) =>
  applyHealth(core, { accountId: context.accountId, endpointId, outcomes, lastFailure: failure });
const failingEvents = async () => (await readFeed(context, 'webhook_endpoint.failing')).map(({ data }) => data);
const state = () => getEndpoint(context, { endpoint_id: endpoint });
const audits = async () => (await readAudits(context, { resource_id: endpoint }, 'action')).map(({ action }) => action);

test('the fifth failure in a row is reported once, to other endpoints only', async () => {
  await apply(failures(4));
  expect(await failingEvents()).toEqual([]);
  const started = clock.now();
  clock.advance(4_000);
  await apply(failures(1));
  clock.advance(1_000);
  await apply(failures(10));
  const events = await failingEvents();
  expect(events).toEqual([
    {
      object: 'webhook_endpoint',
      id: endpoint,
      url: 'http://127.0.0.1:4010/hook',
      status: 'active',
      events: [],
      consecutive_failures: 5,
      first_failed_at: started.toISOString(),
      last_failed_at: new Date(started.getTime() + 4_000).toISOString(),
      last_status_code: 500,
      last_error: failure.message,
      last_event_id: failure.eventId,
      will_disable_at: new Date(started.getTime() + 120 * HOUR).toISOString(),
    },
  ]);
  const received = await Promise.all([endpoint, ...others].map((id) => claimAll(core, id)));
  expect(received.map((claims) => claims.length)).toEqual([0, 1, 1, 0]);
  expect(await state()).toMatchObject({ consecutive_failures: 15, status: 'active' });
});

test('concurrent reports of one streak emit one event', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => apply([{ kind: 'failure', at: at(i) }])));
  expect(await failingEvents()).toHaveLength(1);
  expect((await state()).consecutive_failures).toBe(12);
});

test('time alone warns and disables an endpoint that nothing is sent to', async () => {
  await apply(failures(20));
  const started = clock.now().getTime();
  const statuses: [number, string, number][] = [];
  for (const hours of [1, 95, 97, 97, 119, 121, 121]) {
    clock.set(new Date(started + hours * HOUR));
    await evaluateTimedHealth(core);
    statuses.push([hours, (await state()).status, (await failingEvents()).length]);
  }
  expect(statuses).toEqual([
    [1, 'active', 1],
    [95, 'active', 1],
    [97, 'active', 2],
    [97, 'active', 2],
    [119, 'active', 2],
    [121, 'disabled', 2],
    [121, 'disabled', 2],
  ]);
  expect(await state()).toMatchObject({ disabled_reason: 'failing', consecutive_failures: 20 });
  expect((await audits()).slice(1)).toEqual([
    'webhookEndpoints.failing',
    'webhookEndpoints.disable_warning',
    'webhookEndpoints.disable',
  ]);
  const [, warning] = await failingEvents();
  expect(Date.parse(String(warning?.['will_disable_at'])) - started).toBe(121 * HOUR);
});

test('what an endpoint answered before its owner repaired it does not disable it', async () => {
  const gone = async () => {
    const [seen] = await loadTargets(core, [{ id: endpoint, accountId: context.accountId }]);
    return () => {
      const outcomes = [{ kind: 'gone' as const, at: clock.now() }];
      return applyHealth(core, {
        accountId: context.accountId,
        endpointId: endpoint,
        outcomes,
        lastFailure: failure,
        seen,
      });
    };
  };
  const repair = (change: { url?: string; status?: 'active' }) => {
    clock.advance(1_000);
    return updateEndpoint(context, { endpoint_id: endpoint, ...change });
  };
  const early = await gone();
  await repair({ url: 'http://127.0.0.1:4010/new' });
  await early();
  expect(await state()).toMatchObject({ status: 'active', last_failure_at: null });
  const [current, late] = [await gone(), await gone()];
  await current();
  expect(await state()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  expect([await failingEvents(), (await audits()).at(-1)]).toEqual([[], 'webhookEndpoints.disable']);
  await repair({ status: 'active' });
  await late();
  expect(await state()).toMatchObject({ status: 'active', consecutive_failures: 0 });
});

test.each<[string, (id: string) => Promise<unknown>]>([
  ['its description', (id) => updateEndpoint(context, { endpoint_id: id, description: 'Nightly' })],
  ['its metadata', (id) => updateEndpoint(context, { endpoint_id: id, metadata: { seen: '1' } })],
  ['what it subscribes to', (id) => updateEndpoint(context, { endpoint_id: id, events: ['company.created'] })],
  ['its headers', (id) => updateEndpoint(context, { endpoint_id: id, headers: { 'X-Team': 'a' } })],
  ['its status, to paused', (id) => updateEndpoint(context, { endpoint_id: id, status: 'paused' })],
  ['its secret', (id) => rotateSecret(context, { endpoint_id: id })],
])('what an endpoint answered counts beside a change of %s', async (_what, change) => {
  const [seen] = await loadTargets(core, [{ id: endpoint, accountId: context.accountId }]);
  const report = (outcome: Omit<AttemptOutcome, 'at'>) => {
    const outcomes = [{ ...outcome, at: clock.now() }];
    return applyHealth(core, {
      accountId: context.accountId,
      endpointId: endpoint,
      outcomes,
      lastFailure: failure,
      seen,
    });
  };
  clock.advance(1_000);
  await change(endpoint);
  await report({ kind: 'failure', flow: { kind: 'slow_down', at: new Date(), waitMs: HOUR } });
  const { consecutive_failures: count, health } = await state();
  expect([count, health.wait_until]).toEqual([1, expect.any(String)]);
  await report({ kind: 'gone' });
  expect(await state()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
});

test('switching a disabled endpoint on again begins a new streak', async () => {
  await apply([...failures(7), { kind: 'gone', at: at(10_000) }]);
  const resumed = await updateEndpoint(context, { endpoint_id: endpoint, status: 'active' });
  expect(resumed).toMatchObject({ status: 'active', disabled_reason: null, consecutive_failures: 0 });
  clock.advance(20_000);
  await apply(failures(4));
  expect(await failingEvents()).toHaveLength(1);
  clock.advance(20_000);
  await apply(failures(1));
  expect(await failingEvents()).toHaveLength(2);
});

test('a success of a healthy endpoint is noted, an older one does not set it back, a failing one is left alone', async () => {
  const noted = (ms: number) =>
    recordSuccesses(core, [{ accountId: context.accountId, endpointId: endpoint, at: at(ms) }]);
  await noted(2_000);
  await noted(1_000);
  expect((await state()).last_success_at).toBe(at(2_000).toISOString());
  await apply([{ kind: 'failure', at: at(3_000) }]);
  await noted(4_000);
  expect(await state()).toMatchObject({ last_success_at: at(2_000).toISOString(), consecutive_failures: 1 });
});

// Repeated, because a failure is in the same millisecond as a success only by chance.
test('a worker whose clock is a day ahead neither hides failures nor keeps a streak open', {
  repeats: 20,
}, async () => {
  const ahead = () => new Date(Date.now() + 24 * HOUR);
  const now = (count: number): AttemptOutcome[] =>
    Array.from({ length: count }, () => ({ kind: 'failure', at: new Date() }));
  await recordSuccesses(core, [{ accountId: context.accountId, endpointId: endpoint, at: ahead() }]);
  await apply(now(2));
  expect(await state()).toMatchObject({ consecutive_failures: 2 });
  await apply([{ kind: 'success', at: ahead() }]);
  await apply(now(5));
  expect(await state()).toMatchObject({ consecutive_failures: 5 });
  expect(await failingEvents()).toHaveLength(1);
  await apply([{ kind: 'failure', at: ahead() }]);
  await apply([{ kind: 'success', at: new Date() }]);
  expect(await state()).toMatchObject({ consecutive_failures: 0 });
});

test('workers that note successes of the same endpoints lock them in one order, whatever the order of the batch', async () => {
  const [first = '', last = ''] = [endpoint, ...others].toSorted();
  const hold = (id: string, how = '') =>
    raw.query(`SELECT FROM webhook_endpoint WHERE id = $1 FOR UPDATE ${how}`, [id]);
  await raw.query('BEGIN');
  await hold(first);
  const noting = recordSuccesses(
    core,
    [last, first].map((endpointId) => ({ accountId: context.accountId, endpointId, at: at(1_000) })),
  );
  await waitForBlocked(raw);
  await expect(hold(last, 'NOWAIT')).resolves.toMatchObject({ rowCount: 1 });
  await raw.query('COMMIT');
  await noting;
});

test('successes that lost a deadlock are noted all the same', async () => {
  const [first = '', last = ''] = [endpoint, ...others].toSorted();
  const hold = (id: string) => raw.query('SELECT FROM webhook_endpoint WHERE id = $1 FOR UPDATE', [id]);
  await raw.query("BEGIN; SET LOCAL deadlock_timeout = '1min'");
  await hold(last);
  const noting = recordSuccesses(
    core,
    [first, last].map((endpointId) => ({ accountId: context.accountId, endpointId, at: at(1_000) })),
  );
  await waitForBlocked(raw);
  await hold(first);
  await raw.query('COMMIT');
  await noting;
  const rows = await core.database.query(
    'SELECT FROM webhook_endpoint WHERE id = ANY ($1) AND last_success_at = $2::timestamptz',
    [[first, last], at(1_000).toISOString()],
  );
  expect(rows).toHaveLength(2);
});

test('results for an unknown or deleted endpoint are ignored', async () => {
  await apply(failures(30), 'we_unknown');
  await core.database.query('UPDATE webhook_endpoint SET deleted_at = now() WHERE id = $1', [endpoint]);
  await apply(failures(30));
  expect(await failingEvents()).toEqual([]);
});
