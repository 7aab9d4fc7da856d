// Risk: data restored to a new server, whose transaction ids start again, loses, repeats or delays events.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Context,
  type Core,
  claimGated,
  handlers,
  openAccount,
  openCore,
  sealAuditLog,
  systemContext,
  verifyAuditLog,
} from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';
import { createTestDatabase, type TestDatabase, withClient } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const open = (databaseUrl: string) =>
  openCore({ databaseUrl, secretsKey: Buffer.alloc(32, 7).toString('base64'), allowInsecureWebhooks: true });

let folder: string;
let server: EmbeddedPostgres;
let old: TestDatabase;
let from: Core;
let restored: TestDatabase;
let to: Core;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finhook-restore-'));
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), port: 0, durable: false });
  old = await createMigratedDatabase(inject('pgUrl'));
  from = await open(old.url);
  restored = await createTestDatabase(server.url('postgres'));
  to = await open(restored.url);
  await to.database.migrate();
}, 60_000);
afterAll(async () => {
  await from.database.close();
  await to.database.close();
  await old.drop();
  await server.stop();
  await rm(folder, { recursive: true });
});

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

const nextTransaction = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ next: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next');
  return Number(rows[0]?.next);
};

/** Copies every row, like a data dump: there is no pg_dump beside the server. */
async function copyRows(source: string, target: string): Promise<void> {
  await withClient(source, (reader) =>
    withClient(target, async (writer) => {
      const ahead = (await nextTransaction(reader)) - (await nextTransaction(writer));
      await reader.query(`DO $$ BEGIN
        FOR i IN 1..${Math.max(0, 1_000 - ahead)} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`);
      // Without triggers, in any order.
      await writer.query('SET session_replication_role = replica');
      const { rows: tables } = await reader.query<{ name: string; columns: string }>(
        `SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ') AS columns
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
           AND c.relname NOT IN ('mikro_orm_migrations', 'stored_function') GROUP BY 1`,
      );
      for (const { name, columns } of tables) {
        const { rows } = await reader.query<{ all: string | null }>(`SELECT json_agg(t)::text AS all FROM ${name} t`);
        await writer.query(
          `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1)`,
          [rows[0]?.all ?? '[]'],
        );
      }
    }),
  );
}

const readFeed = async (context: Context, after?: string) => {
  const page = await handlers.events.list(context, { limit: 200, order: 'asc', after });
  return { ids: page.data.map(({ id }) => id), cursor: page.next_cursor ?? undefined };
};

test('after a dump and restore into a new server everything goes on at once, and nothing comes twice', async () => {
  const { accountId } = await openAccount(from, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const before = systemContext(from, accountId, 'test');
  const name = (i: number) => ({ name: `c${i}` });
  const url = 'http://127.0.0.1:9/hook';
  const endpoint = await handlers.webhookEndpoints.create(before, { url, ordered: true, events: ['company.created'] });
  for (let i = 0; i < 3; i++) await handlers.companies.create(before, name(i));
  const { cursor } = await readFeed(before);
  for (let i = 3; i < 5; i++) await handlers.companies.create(before, name(i));
  const unread = (await readFeed(before, cursor)).ids;
  expect(await sealAuditLog(from)).toBeGreaterThan(5);
  await handlers.companies.create(before, name(5));
  const all = (await readFeed(before)).ids;

  await copyRows(old.url, restored.url);
  // Like every start.
  await to.database.migrate();
  await to.database.requireMigrated();
  const context = systemContext(to, accountId, 'test');
  await handlers.companies.create(context, name(6));
  const feed = (await readFeed(context)).ids;
  expect(feed.slice(0, -1)).toEqual(all);
  expect((await readFeed(context, cursor)).ids).toEqual([...unread, ...feed.slice(-2)]);

  const [found] = await claimGated(to, [{ accountId, endpointId: endpoint.id, limit: 20 }], {
    leaseMs: 60_000,
    probeMs: 60_000,
  });
  expect(found?.claims.map(({ eventId }) => eventId)).toEqual(feed.slice(-7));
  expect(await sealAuditLog(to)).toBe(2);
  expect(await verifyAuditLog(to)).toMatchObject({ unsealed: 0, mismatch: undefined });
  const { accountId: another } = await openAccount(to, { name: 'New', mode: 'test', companyName: 'New Inc' });
  expect((await readFeed(systemContext(to, another, 'test'))).ids).toHaveLength(2);
}, 60_000);
