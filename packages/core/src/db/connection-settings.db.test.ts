// Risk: a server, a role or a pooler that is set in its own way changes what statements mean, and nobody is reported.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, startFaultProxy, type TestDatabase } from '@finhook/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Core } from '../kernel/context.ts';
import { openCore } from '../open-core.ts';
import { isDatabaseUnavailable } from './database-error.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(inject('pgUrl'));
  cleanUp.push(() => database.drop());
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function coreOn(databaseUrl: string, poolSize = 2): Promise<Core> {
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, poolSize });
  cleanUp.push(() => core.database.close());
  return core;
}

async function asAdmin(...statements: string[]): Promise<void> {
  const admin = new pg.Client(database.url);
  await admin.connect();
  for (const sql of statements) await admin.query(sql);
  await admin.end();
}

test.each([
  ['default_transaction_isolation', "'repeatable read'", 'read committed'],
  ['default_transaction_deferrable', 'on', 'off'],
  ['datestyle', "'SQL, DMY'", 'ISO, MDY'],
  ['search_path', 'pg_catalog', 'public'],
  ['row_security', 'off', 'on'],
  ['statement_timeout', '5', '0'],
  ['lock_timeout', '5', '0'],
  ['idle_session_timeout', '5', '0'],
])('%s = %s of a database is not taken over, migrating or after', async (setting, value, expected) => {
  await asAdmin(`ALTER DATABASE ${database.name} SET ${setting} = ${value}`);
  const core = await coreOn(database.url);
  await core.database.migrate();
  const read = `SELECT current_setting('${setting}') AS value`;
  expect(await core.database.query(read)).toEqual([{ value: expected }]);
  expect(await core.database.owner.query(read)).toEqual([{ value: expected }]);
  expect(await core.database.forAccount('acct_1').query(read)).toEqual([{ value: expected }]);
});

async function startForgetfulPooler(): Promise<string> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.once('data', (startUp) => {
      upstream.write(withoutOptions(startUp));
      client.pipe(upstream).pipe(client);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return Object.assign(new URL(database.url), { port: String(portOf(server.address())) }).href;
}

/** The start-up message: its length, the version, then names and values that each end with a zero, then a zero. */
function withoutOptions(startUp: Buffer): Buffer {
  const fields = startUp.toString('latin1', 8, startUp.length - 2).split('\0');
  const kept = fields.flatMap((name, i) => (i % 2 === 0 && name !== 'options' ? [name, fields[i + 1] ?? ''] : []));
  const body = Buffer.from([...kept, '', ''].join('\0'), 'latin1');
  const head = Buffer.from(startUp.subarray(0, 8));
  head.writeInt32BE(head.length + body.length);
  return Buffer.concat([head, body]);
}

// The server listens on a port.
function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port;
}

test('behind a pooler that leaves the settings out nothing is migrated, read or written, and it is reported', async () => {
  const forgetful = await coreOn(await startForgetfulPooler());
  const reported = /PgBouncer for example, does not pass on the settings .* Let DATABASE_URL name PostgreSQL itself/;
  await expect(forgetful.database.migrate()).rejects.toThrow(reported);
  await (await coreOn(database.url)).database.migrate();
  await expect(forgetful.database.query('SELECT 1')).rejects.toThrow(reported);
  await expect(forgetful.database.transaction((tx) => tx.query('SELECT 1'))).rejects.toThrow(reported);
});

test('a connection that falls silent before its first use is given up like one that can’t be made', async () => {
  await (await coreOn(database.url)).database.migrate();
  const proxy = await startFaultProxy(database.url);
  cleanUp.push(() => proxy.close());
  // Statements without a name come by themselves: the first one looks for the settings.
  void proxy.hold({ statement: '', when: 'before' });
  const core = await coreOn(proxy.url);
  const read = core.database.query('SELECT 1').catch((error: unknown) => error);
  expect(isDatabaseUnavailable(await read)).toBe(true);
});

test('where the server has no more connections, those that there are serve everybody', async () => {
  await (await coreOn(database.url)).database.migrate();
  const user = `few_${database.name}`;
  await asAdmin(
    `CREATE ROLE ${user} LOGIN PASSWORD 'few' CONNECTION LIMIT 2`,
    `GRANT finhook_system TO ${user}`,
    `GRANT CONNECT ON DATABASE ${database.name} TO ${user}`,
  );
  cleanUp.splice(1, 0, () => asAdmin(`DROP OWNED BY ${user}`, `DROP ROLE ${user}`));
  const url = Object.assign(new URL(database.url), { username: user, password: 'few' });
  const core = await coreOn(url.href, 8);
  const reads = Array.from({ length: 20 }, () => core.database.query('SELECT pg_sleep(0.02)'));
  expect(await Promise.all(reads)).toHaveLength(20);
});
