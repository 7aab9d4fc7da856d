// Risk: settings of a server, role or pooler change the meaning of statements unnoticed.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, startFaultProxy, type TestDatabase, withClient } from '@finhook/testing';
import { afterEach, expect, inject, test } from 'vitest';
import { createMigratedDatabase } from '../../test/migrated-database.ts';
import { openRawClient } from '../../test/raw-client.ts';
import { openCore } from '../open-core.ts';
import type { Core } from '../verbs/context.ts';
import { errorOfConnecting, verifySettings } from './connection-settings.ts';
import { isDatabaseUnavailable } from './database-error.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
let database: TestDatabase;
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function use(opened: Promise<TestDatabase>): Promise<void> {
  database = await opened;
  cleanUp.push(() => database.drop());
}

async function coreOn(databaseUrl: string, poolSize = 2): Promise<Core> {
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, poolSize });
  cleanUp.push(() => core.database.close());
  return core;
}

const asAdmin = (...statements: string[]): Promise<void> =>
  withClient(database.url, async (admin) => {
    for (const sql of statements) await admin.query(sql);
  });

test('settings of a database do not apply, neither to migrations nor afterwards', async () => {
  const settings = [
    ['default_transaction_isolation', "'repeatable read'", 'read committed'],
    ['default_transaction_deferrable', 'on', 'off'],
    ['datestyle', "'SQL, DMY'", 'ISO, MDY'],
    ['search_path', 'pg_catalog', 'public'],
    ['row_security', 'off', 'on'],
    ['statement_timeout', '5', '0'],
    ['lock_timeout', '5', '0'],
    ['idle_session_timeout', '5', '0'],
  ];
  await use(createTestDatabase(inject('pgUrl')));
  await asAdmin(settings.map(([name, value]) => `ALTER DATABASE ${database.name} SET ${name} = ${value}`).join(';'));
  const core = await coreOn(database.url);
  await core.database.migrate();
  const read = `SELECT ${settings.map(([name]) => `current_setting('${name}') AS ${name}`).join()}`;
  const expected = [Object.fromEntries(settings.map(([name, , own]) => [name, own]))];
  for (const by of [core.database, core.database.owner, core.database.forAccount('acct_1')])
    expect(await by.query(read)).toEqual(expected);
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

/** The start-up message: length, version, zero-terminated names and values, then a zero. */
function withoutOptions(startUp: Buffer): Buffer {
  const fields = startUp.toString('latin1', 8, startUp.length - 2).split('\0');
  const kept = fields.flatMap((name, i) => (i % 2 === 0 && name !== 'options' ? [name, fields[i + 1] ?? ''] : []));
  const body = Buffer.from([...kept, '', ''].join('\0'), 'latin1');
  const head = Buffer.from(startUp.subarray(0, 8));
  head.writeInt32BE(head.length + body.length);
  return Buffer.concat([head, body]);
}

function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port;
}

test('behind a pooler that drops the settings, nothing is migrated, read or written, and the error says so', async () => {
  await use(createMigratedDatabase(inject('pgUrl')));
  const forgetful = await coreOn(await startForgetfulPooler());
  const reported = /PgBouncer for example, does not pass on the settings .* Let DATABASE_URL name PostgreSQL itself/;
  await expect(forgetful.database.migrate()).rejects.toThrow(reported);
  await expect(forgetful.database.query('SELECT 1')).rejects.toThrow(reported);
  await expect(forgetful.database.transaction((tx) => tx.query('SELECT 1'))).rejects.toThrow(reported);
});

test('a connection that stops responding before its first use fails like one that cannot be opened', async () => {
  await use(createMigratedDatabase(inject('pgUrl')));
  const proxy = await startFaultProxy(database.url);
  cleanUp.push(() => proxy.close());
  // Holds the first unnamed statement, which reads the settings.
  void proxy.hold({ statement: '', when: 'before' });
  // The connection ends with the proxy.
  const client = await openRawClient(proxy.url);
  const failure = await new Promise<unknown>((done) => verifySettings(client, 50, done));
  expect(isDatabaseUnavailable(errorOfConnecting(failure))).toBe(true);
});

test('when the server has no more connections, the pool’s existing ones serve all requests', async () => {
  await use(createMigratedDatabase(inject('pgUrl')));
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
