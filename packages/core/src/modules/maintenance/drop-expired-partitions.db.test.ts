// Risk: data is kept forever, a month is dropped that a delivery needs, or writers are blocked.
import { createTestClock, type TestClock } from '@finhook/testing';
import type pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { claimAll, emitMany, newEndpoint, settle } from '../../../test/attempt-of.ts';
import { type CoreFixture, openFixture } from '../../../test/core-fixture.ts';
import { openRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import { ensurePartitions } from '../../db/partitions.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { listActivity } from '../activity/list.ts';
import { sealAuditLog } from '../audit/seal-audit-log.ts';
import { verifyAuditLog } from '../audit/verify-audit-log.ts';
import { getDelivery, listDeliveries } from '../deliveries/read.ts';
import { retryDelivery } from '../deliveries/retry.ts';
import { getEvent, listEvents } from '../events/read.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { dropExpiredPartitions, retentionCutoff } from './drop-expired-partitions.ts';

const DAY = 24 * 60 * 60 * 1000;
const retention = { eventDays: 90, auditDays: 2_557, requestDays: 0 };
const oneTry = { lockMs: 100, tries: 1, pauseMs: 0 };

let fixture: CoreFixture;
let clock: TestClock;
let raw: pg.Client;
let start: Date;
beforeEach(async () => {
  const now = new Date();
  // The middle of a month that has partitions.
  start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 15));
  clock = createTestClock(start);
  fixture = await openFixture(inject('pgUrl'), clock);
  raw = await openRawClient(fixture.database.url);
});
afterEach(async () => {
  await raw.end();
  await fixture.close();
});

const drop = (lock = oneTry) => dropExpiredPartitions(fixture.core, retention, lock);
const monthOf = (moment: Date) => moment.toISOString().slice(0, 7).replace('-', '_');
const namesOf = (month: string, tables = ['attempt', 'delivery', 'event']) =>
  tables.map((table) => `${table}_${month}`);
/** An event with a delivery to the endpoint that succeeds or stays due. */
async function deliverOne(
  endpoint: string,
  verdict: 'succeeded' | 'due',
): Promise<{ event: string; delivery: string }> {
  await createApiKey(fixture.context, { name: 'k', scope: 'read' });
  const [row] = await fixture.core.database.query<{ event: string; delivery: string }>(
    'SELECT event_id AS event, delivery_id AS delivery FROM due WHERE endpoint_id = $1 ORDER BY delivery_id DESC',
    [endpoint],
  );
  if (row === undefined) throw new Error('Nothing is due.');
  if (verdict === 'due') return row;
  const claims = await claimAll(fixture.core, endpoint);
  await settle(fixture.core, claims);
  return row;
}
/** The time `days` after the end of the month of `start`. */
const afterMonth = (days: number) =>
  new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) + days * DAY);
const moveTo = async (moment: Date) => {
  clock.set(moment);
  await ensurePartitions(fixture.core.database.owner, clock.now());
};

test('a month is dropped once it ended as long ago as its rows are kept, and not a moment sooner', async () => {
  const endpoint = await newEndpoint(fixture.context);
  const old = await deliverOne(endpoint, 'succeeded');
  await moveTo(new Date(afterMonth(90).getTime() - 1));
  expect(await drop()).toEqual({ dropped: [], pending: [], busy: [] });
  const fresh = await deliverOne(endpoint, 'succeeded');
  clock.set(afterMonth(90));
  expect((await drop()).dropped).toEqual(namesOf(monthOf(start)));
  expect(await drop()).toEqual({ dropped: [], pending: [], busy: [] });

  const { context } = fixture;
  await expect(getEvent(context, { event_id: old.event })).rejects.toMatchObject({ code: 'not_found' });
  await expect(redeliverEvent(context, { event_id: old.event })).rejects.toMatchObject({ code: 'not_found' });
  await expect(getDelivery(context, { delivery_id: old.delivery })).rejects.toMatchObject({ code: 'not_found' });
  const deliveries = await listDeliveries(context, { limit: 50, order: 'desc' });
  expect(deliveries.data.map(({ id }) => id)).toEqual([fresh.delivery]);
  // The audit row remains, without its events.
  const { data } = await listActivity(context, { limit: 200, order: 'desc' });
  const first = data.at(-1);
  expect([data.length, first?.events]).toEqual([expect.any(Number), []]);
  expect(data[0]?.events).toHaveLength(1);
});

test('a reader whose cursor is older than the oldest event continues with that event', async () => {
  const { context } = fixture;
  const read = async (after?: string) => {
    const page = () => listEvents(context, { limit: 200, order: 'asc', ...(after === undefined ? {} : { after }) });
    return page();
  };
  const endpoint = await newEndpoint(fixture.context);
  await deliverOne(endpoint, 'succeeded');
  await expect.poll(async () => (await read()).data.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const { next_cursor: cursor } = await read();
  await moveTo(afterMonth(90));
  const fresh = await deliverOne(endpoint, 'succeeded');
  await drop();
  await expect
    .poll(async () => (await read(cursor ?? undefined)).data.map(({ id }) => id), { timeout: 20_000 })
    .toEqual([fresh.event]);
});

test('no month is dropped that a scheduled delivery needs, even of a paused endpoint', async () => {
  const endpoint = await newEndpoint(fixture.context);
  await deliverOne(endpoint, 'due');
  await updateEndpoint(fixture.context, { endpoint_id: endpoint, status: 'paused' });
  await moveTo(afterMonth(91));
  expect(await drop()).toEqual({ dropped: [], pending: namesOf(monthOf(start)), busy: [] });
  await updateEndpoint(fixture.context, { endpoint_id: endpoint, status: 'active' });
  const claims = await claimAll(fixture.core, endpoint);
  expect(claims.length).toBeGreaterThan(0);
  await settle(fixture.core, claims);
  expect((await drop()).dropped).toEqual(namesOf(monthOf(start)));
});

test('an event that was sent again lately is kept until that ends; its delivery outlives it', async () => {
  const { context } = fixture;
  const endpoint = await newEndpoint(fixture.context);
  const old = await deliverOne(endpoint, 'succeeded');
  await moveTo(afterMonth(91));
  const [again] = (await redeliverEvent(context, { event_id: old.event })).data;
  expect(await drop()).toMatchObject({ dropped: namesOf(monthOf(start), ['attempt', 'delivery']) });
  const [claim] = await claimAll(fixture.core, endpoint);
  if (claim === undefined || again === undefined) throw new Error('Nothing was sent again.');
  await settle(fixture.core, [claim], { kind: 'failed' });
  expect(await drop()).toMatchObject({ dropped: namesOf(monthOf(start), ['event']) });
  expect(await getDelivery(context, { delivery_id: again.id })).toMatchObject({
    status: 'failed',
    event_id: old.event,
  });
  await expect(retryDelivery(context, { delivery_id: again.id })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('passed its retention period'),
  });
  expect(await fixture.core.database.query('SELECT FROM due')).toEqual([]);
});

test('a redelivery while its month is being dropped succeeds, or reports that the event is gone', async () => {
  const endpoint = await newEndpoint(fixture.context);
  const old = await deliverOne(endpoint, 'succeeded');
  await moveTo(afterMonth(91));
  await raw.query('BEGIN');
  await raw.query('SELECT FROM event WHERE id = $1', [old.event]);
  expect(await drop()).toMatchObject({ busy: namesOf(monthOf(start), ['event']) });
  await raw.query(
    `INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at) VALUES ('dlv_zz', 'x', $1, $2, 1, now())`,
    [old.event, endpoint],
  );
  const dropping = drop({ lockMs: 10_000, tries: 1, pauseMs: 0 });
  await expect
    .poll(() => fixture.core.database.query("SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"))
    .toHaveLength(1);
  await raw.query('COMMIT');
  expect(await dropping).toMatchObject({ dropped: [], pending: namesOf(monthOf(start), ['event']) });
});

test('a month whose need takes long to find out is left for later, so that its table is not locked meanwhile', async () => {
  await moveTo(afterMonth(91));
  const other = await openRawClient(fixture.database.url);
  await raw.query('BEGIN; SELECT FROM event LIMIT 1');
  const dropping = drop({ lockMs: 10_000, tries: 3, pauseMs: 0 });
  await waitForBlocked(raw);
  // The check without the lock finds no need; under the lock it takes forever.
  await other.query('BEGIN; LOCK TABLE due IN ACCESS EXCLUSIVE MODE');
  await raw.query('COMMIT');
  expect(await dropping).toMatchObject({ busy: namesOf(monthOf(start), ['event']) });
  await other.query('COMMIT');
  expect((await drop()).dropped).toEqual(namesOf(monthOf(start), ['event']));
  await other.end();
});

test('a reader that holds the tables is not waited for, neither by the drop nor by writers behind it', async () => {
  await moveTo(afterMonth(91));
  await raw.query('BEGIN');
  await raw.query('SELECT count(*) FROM event');
  let over = false;
  const dropping = drop({ lockMs: 100, tries: 3, pauseMs: 10 }).finally(() => {
    over = true;
  });
  while (!over) await createApiKey(fixture.context, { name: 'k', scope: 'read' });
  expect((await dropping).busy).toEqual(namesOf(monthOf(start), ['event']));
  await raw.query('COMMIT');
  expect((await drop()).dropped).toEqual(namesOf(monthOf(start), ['event']));
});

test('0 days keep everything', async () => {
  await moveTo(afterMonth(40_000));
  expect(
    await dropExpiredPartitions(fixture.core, { eventDays: 0, auditDays: 0, requestDays: 0 }, oneTry),
  ).toMatchObject({
    dropped: [],
  });
});

test('after months of the audit log were dropped, the chain still detects changed and removed rows', async () => {
  const { core, context } = fixture;
  const sealAll = () =>
    expect
      .poll(async () => (await sealAuditLog(core)) + (await verifyAuditLog(core)).unsealed, { timeout: 20_000 })
      .toBe(0);
  await emitMany(context, 3);
  const { head } = await sealAll().then(() => verifyAuditLog(core));
  await moveTo(afterMonth(2_557));
  await createApiKey(context, { name: 'new', scope: 'read' });
  await sealAll();
  expect((await drop()).dropped).toContain(`audit_log_${monthOf(start)}`);
  const expiredBefore = retentionCutoff(clock.now(), retention.auditDays);
  const verify = () => verifyAuditLog(core, { expiredBefore, head });
  expect((await verifyAuditLog(core)).mismatch).toMatchObject({ kind: 'removed', sequence: 1 });
  const report = await verify();
  expect(report).toMatchObject({ mismatch: undefined, unsealed: 0 });
  expect(report.expired).toBeGreaterThanOrEqual(3);
  expect(report.rows).toBeGreaterThan(report.expired);
  await raw.query('DELETE FROM audit_log WHERE id = (SELECT max(id) FROM audit_log)');
  expect((await verify()).mismatch).toMatchObject({ kind: 'removed' });
});

test('rows that came when their month had no partition are moved into it when it is made', async () => {
  const endpoint = await newEndpoint(fixture.context);
  clock.set(afterMonth(150));
  const late = await deliverOne(endpoint, 'succeeded');
  const pointerAt = async () => {
    const { rows } = await raw.query<{ place: string }>(
      `SELECT tableoid::regclass::text AS place FROM event WHERE id = $1 UNION ALL
       SELECT tableoid::regclass::text FROM delivery WHERE id = $2 UNION ALL
       SELECT tableoid::regclass::text FROM attempt WHERE delivery_id = $2`,
      [late.event, late.delivery],
    );
    return rows.map(({ place }) => place);
  };
  expect(await pointerAt()).toEqual(['event_default', 'delivery_default', 'attempt_default']);
  await ensurePartitions(fixture.core.database.owner, clock.now());
  const month = monthOf(clock.now());
  expect(await pointerAt()).toEqual([`event_${month}`, `delivery_${month}`, `attempt_${month}`]);
  expect(await getDelivery(fixture.context, { delivery_id: late.delivery })).toMatchObject({ status: 'succeeded' });
  const indexes = async (table: string) =>
    (await raw.query('SELECT FROM pg_indexes WHERE tablename = $1', [table])).rowCount;
  for (const table of ['event', 'delivery', 'attempt', 'audit_log']) {
    expect(await indexes(`${table}_${month}`), table).toBe(await indexes(table));
  }
});
