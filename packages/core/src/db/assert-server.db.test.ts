// Risk: data moved to another server by dump and restore, and the feed and ordered endpoints stand still unnoticed.
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../test/core-fixture.ts';
import { openRawClient } from '../../test/raw-client.ts';
import { createApiKey } from '../modules/accounts/api-keys/create.ts';
import { listEvents } from '../modules/events/read.ts';
import { createEndpoint } from '../modules/webhooks/create.ts';
import { openCore } from '../open-core.ts';
import { assertTransactionIds } from './assert-server.ts';

let fixture: CoreFixture;
let raw: pg.Client;
beforeEach(async () => {
  fixture = await openFixture(inject('pgUrl'));
  raw = await openRawClient(fixture.database.url);
});
afterEach(async () => {
  await raw.end();
  await fixture.close();
});

const AHEAD = 3_000;
const moveAhead = (table: string, column: string) =>
  raw.query(
    `UPDATE ${table} SET ${column} = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${AHEAD})::text::xid8`,
  );
const snippet = async () => {
  const text = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const sql = /## After a dump and restore[^#]*?```sql\n([^`]+)```/.exec(text)?.[1];
  if (sql === undefined) throw new Error('docs/operations.md does not say what to run.');
  return sql;
};

test.for([
  ['event', 'feed_xid'],
  ['due', 'feed_xid'],
  ['audit_log', 'xid'],
] as const)(
  'C25: a process does not start on %s with ids that the server has yet to reach, and says what to do',
  async ([table, column]) => {
    const { core, context } = fixture;
    await createEndpoint(context, { url: 'http://127.0.0.1:9/hook' });
    await createApiKey(context, { name: 'k', scope: 'read' });
    await core.database.migrate();
    await assertTransactionIds(core.database);
    await moveAhead(table, column);
    await expect(core.database.migrate()).rejects.toThrow(/transaction ids up to \d+, .*"After a dump and restore"/);
    await expect(assertTransactionIds(core.database)).rejects.toThrow('restored from another server');

    await raw.query(await snippet());
    await core.database.migrate();
    await assertTransactionIds(core.database);
    const page = () => listEvents(context, { limit: 200, order: 'asc' });
    const [stored] = await core.database.query<{ n: number }>('SELECT count(*)::int AS n FROM event WHERE NOT test');
    await expect.poll(async () => (await page()).data.length, { timeout: 20_000 }).toBe(stored?.n);
  },
);

test('where the database is away nothing is rejected', async () => {
  const away = await openCore({
    databaseUrl: 'postgres://127.0.0.1:1/none',
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: true,
  });
  await expect(assertTransactionIds(away.database)).resolves.toBeUndefined();
  await away.database.close();
});
