// Risk: a database of version 0.2.0 loses or repeats events, deliveries or seals when it goes over to sequences.

import { createHash } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@finhook/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { claimThrough } from '../../../test/attempt-of.ts';
import { openRawClient } from '../../../test/raw-client.ts';
import { readAll } from '../../../test/read-all.ts';
import { encodeCursor } from '../../lists/keyset.ts';
import { listActivity } from '../../modules/activity/list.ts';
import { sealAuditLog } from '../../modules/audit/seal-audit-log.ts';
import { verifyAuditLog } from '../../modules/audit/verify-audit-log.ts';
import { createCompany } from '../../modules/companies/create.ts';
import { listEvents } from '../../modules/events/read.ts';
import { openCore } from '../../open-core.ts';
import { type Context, type Core, systemContext } from '../../verbs/context.ts';
import { openDatabase } from '../database.ts';
import { migrations } from './index.ts';

const ACCOUNT = 'acct_a';
const ENDPOINT = 'we_a';

// Two accounts; in the first the ids of the events are not in the order of their transactions, and one has two events.
const events = [
  { id: 'evt_5', account: ACCOUNT, xid: 100 },
  { id: 'evt_1', account: ACCOUNT, xid: 200 },
  { id: 'evt_2', account: ACCOUNT, xid: 200 },
  { id: 'evt_4', account: ACCOUNT, xid: 1000 },
  { id: 'evt_3', account: ACCOUNT, xid: 1001 },
  { id: 'evt_9', account: 'acct_b', xid: 150 },
];
const mine = events.filter(({ account }) => account === ACCOUNT).map(({ id }) => id);

let database: TestDatabase;
let raw: pg.Client;
let core: Core;
let context: Context;

async function storeAsBefore(): Promise<void> {
  const now = '2026-11-01T00:00:00.000Z';
  for (const id of [ACCOUNT, 'acct_b']) {
    await raw.query("INSERT INTO account (id, name, mode, created_at, updated_at) VALUES ($1, 'a', 'test', $2, $2)", [
      id,
      now,
    ]);
  }
  await raw.query(
    `INSERT INTO webhook_endpoint (id, account_id, url, events, status, ordered, created_at, updated_at)
     VALUES ($1, $2, 'http://127.0.0.1:9/h', '{company.created}', 'active', true, $3, $3)`,
    [ENDPOINT, ACCOUNT, now],
  );
  for (const { id, account, xid } of events) {
    const body = JSON.stringify({ id, type: 'company.created', created_at: now, account_id: account, data: {} });
    await raw.query(
      `INSERT INTO event (id, account_id, type, created_at, feed_xid, body) VALUES ($1, $2, 'company.created', $3, $4::text::xid8, $5)`,
      [id, account, now, xid, body],
    );
    await raw.query(
      `INSERT INTO audit_log (id, account_id, actor, action, resource_id, request_id, created_at, xid)
       VALUES ($1, $2, '{"type":"system","id":"x","name":"x"}', 'companies.create', 'x', 'x', $3, $4::text::xid8)`,
      [id.replace('evt', 'aud'), account, now, xid],
    );
  }
  // The first event was redelivered after the third, and the last two are due.
  const due = [
    ['dlv_9', 'evt_5', 201],
    ['dlv_8', 'evt_4', 1000],
    ['dlv_7', 'evt_3', 1001],
  ];
  for (const [id, event, xid] of due) {
    await raw.query(
      `INSERT INTO delivery (id, account_id, event_id, event_type, endpoint_id, created_at, updated_at)
       VALUES ($1, $2, $3, 'company.created', $4, $5, $5)`,
      [id, ACCOUNT, event, ENDPOINT, now],
    );
    await raw.query(
      `INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, due_at, next_attempt_at, feed_xid)
       VALUES ($1, $2, $3, $4, $5, $5, $6::text::xid8)`,
      [id, ACCOUNT, event, ENDPOINT, now, xid],
    );
  }
  await raw.query(
    `INSERT INTO replay (id, account_id, endpoint_id, kind, status, selection, since, asked_xid, cursor_xid, cursor_id, matched,
       waiting_for, created_by, created_at, updated_at)
     VALUES ('rpl_1', $1, $2, 'replay', 'running', 'all', $3, '1000', '200', 'evt_1', 5, 'open_transactions', '{}', $3, $3)`,
    [ACCOUNT, ENDPOINT, now],
  );
  await sealAsBefore(now);
}

/** A seal of version 0.2.0 over the rows up to transaction 200, of both accounts. */
async function sealAsBefore(sealedAt: string): Promise<void> {
  const { rows } = await raw.query<{ id: string; xid: string; hash: string }>(
    `SELECT id, xid::text AS xid, encode(sha256(convert_to((jsonb_build_array(id, account_id, company_id, actor::text, actor_id,
       actor_type, action, resource_id, request_id, ip, before::text, after::text,
       (extract(epoch FROM created_at) * 1000)::bigint, xid::text) || '[]')::text, 'UTF8')), 'hex') AS hash
     FROM audit_log WHERE xid <= '200' ORDER BY audit_log.xid, id`,
  );
  const [ids, hashes] = [rows.map(({ id }) => id), rows.map(({ hash }) => hash)];
  const previous = '0'.repeat(64);
  const content = [previous, 1, rows.at(-1)?.xid, ids.at(-1), sealedAt, ids, hashes];
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  await raw.query(
    `INSERT INTO audit_seal (sequence, last_transaction, last_id, row_ids, row_hashes, previous_hash, hash, sealed_at)
     VALUES (1, $1::xid8, $2, $3, $4, $5, $6, $7)`,
    [rows.at(-1)?.xid, ids.at(-1), ids, hashes, previous, hash, sealedAt],
  );
}

beforeAll(async () => {
  database = await createTestDatabase(inject('pgUrl'));
  const before = await openDatabase({
    url: database.url,
    entities: [],
    migrations: migrations.slice(0, 1),
    poolSize: 1,
  });
  await before.migrate();
  await before.close();
  raw = await openRawClient(database.url);
  await storeAsBefore();
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true, poolSize: 2 });
  await core.database.migrate();
  context = systemContext(core, ACCOUNT, 'test');
});
afterAll(async () => {
  await raw.end();
  await core.database.close();
  await database.drop();
});

const idsAfter = (cursor?: string) =>
  readAll((after = cursor) => listEvents(context, { limit: 2, order: 'asc', ...(after && { after }) })).then((found) =>
    found.map(({ id }) => id),
  );
const before = async (cursor: string) =>
  (await listEvents(context, { limit: 1, order: 'desc', after: cursor })).data.map(({ id }) => id);

test('the feed keeps its order, and each account’s positions have no gaps', async () => {
  expect(await idsAfter()).toEqual(mine);
  const { rows } = await raw.query(
    'SELECT account_id, array_agg(position::int ORDER BY position) AS found FROM event GROUP BY 1 ORDER BY 1',
  );
  expect(rows).toEqual([
    { account_id: ACCOUNT, found: [1, 2, 3, 4, 5] },
    { account_id: 'acct_b', found: [1] },
  ]);
});

test('an old cursor continues after its event, at any order of transactions', async () => {
  for (const [i, { id, xid }] of events.slice(0, 5).entries()) {
    expect(await idsAfter(encodeCursor([String(xid), id])), id).toEqual(mine.slice(i + 1));
    const previous = mine.slice(Math.max(0, i - 1), i);
    expect(await before(encodeCursor([String(xid), id])), id).toEqual(previous);
  }
});

test('an old cursor without a stored event continues with the next event', async () => {
  for (const [xid, id, next] of [
    ['99', 'evt_', 0],
    ['150', 'evt_', 1],
    ['200', 'evt_', 1],
    ['200', 'evt_15', 2],
    ['201', 'evt_', 3],
    ['1001', 'evt_', 4],
    ['9000000', 'evt_', 5],
  ] as const) {
    const cursor = encodeCursor([xid, id]);
    expect(await idsAfter(cursor), `${xid} ${id}`).toEqual(mine.slice(next));
    expect(await before(cursor), `${xid} ${id}`).toEqual(mine.slice(Math.max(0, next - 1), next));
  }
});

test('ordered endpoints and replays continue where they were', async () => {
  const { claims } = await claimThrough(core, ENDPOINT, 10);
  expect(claims.map(({ deliveryId, sequence }) => [deliveryId, sequence])).toEqual([
    ['dlv_9', '1'],
    ['dlv_8', '4'],
    ['dlv_7', '5'],
  ]);
  const { rows } = await raw.query('SELECT asked_position, cursor_position, waiting_for FROM replay');
  expect(rows).toEqual([{ asked_position: '4', cursor_position: '2', waiting_for: null }]);
});

test('old seals stay valid, the next one follows them, and all are verified', async () => {
  expect(await verifyAuditLog(core)).toMatchObject({ seals: 1, rows: 4, unsealed: 2, mismatch: undefined });
  expect(await sealAuditLog(core)).toBe(2);
  expect(await verifyAuditLog(core)).toMatchObject({ seals: 2, rows: 6, unsealed: 0, mismatch: undefined });
  await raw.query("UPDATE audit_log SET ip = 'x' WHERE id = 'aud_1'");
  expect((await verifyAuditLog(core)).mismatch).toEqual({ kind: 'altered', sequence: 1, rowId: 'aud_1' });
  await raw.query("UPDATE audit_log SET ip = NULL WHERE id = 'aud_1'");
});

test('the activity list still has the events of each row, and new events follow the old ones', async () => {
  const list = async () => (await listActivity(context, { limit: 20, order: 'asc' })).data;
  expect((await list()).map(({ events: found }) => found.map(({ id }) => id))).toEqual([
    ['evt_1', 'evt_2'],
    ['evt_1', 'evt_2'],
    ['evt_3'],
    ['evt_4'],
    ['evt_5'],
  ]);
  const company = await createCompany(context, { name: 'New' });
  const [added, ...others] = await idsAfter(encodeCursor(['1001', 'evt_3']));
  expect(others).toEqual([]);
  const row = (await list()).find(({ resource_id }) => resource_id === company.id);
  expect(row?.events.map(({ id }) => id)).toEqual([added]);
});
