import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEmbeddedPostgres } from '@finhook/embedded';
import { redisServerBinary, startRedis } from '@finhook/testing';
import { Client } from 'pg';
import type { Arguments } from '../arguments.ts';
import { type Checkout, openCheckout, ownRoot } from './checkout.ts';
import type { Backend, Environment } from './environment.ts';
import { createDatabases } from './open-database.ts';
import { startReceiverProcess } from './start-receiver-process.ts';
import { createStarters } from './starters.ts';

const postgresBackend: Backend = {
  name: 'postgres',
  processes: [],
  queueUrl: ({ url }) => url,
  // Its jobs are dropped with the database.
  clear: async () => undefined,
};

async function openBackends(
  { queue, quick }: Arguments,
  cleanUp: AsyncDisposableStack,
): Promise<readonly [Backend, ...Backend[]]> {
  const usual = quick ? 'redis' : 'both';
  const wanted = queue ?? (redisServerBinary() === null ? 'postgres' : usual);
  if (wanted === 'postgres') return [postgresBackend];
  const redis = await startRedis();
  cleanUp.defer(redis.stop);
  const redisBackend: Backend = {
    name: 'redis',
    processes: [{ name: 'Redis', pid: redis.pid }],
    queueUrl: () => redis.url,
    clear: redis.flush,
  };
  return wanted === 'redis' ? [redisBackend] : [redisBackend, postgresBackend];
}

async function migrate({ openCore }: Checkout['core'], databaseUrl: string, secretsKey: string): Promise<void> {
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true });
  await core.database.migrate();
  await core.database.close();
}

function makeFolder(cleanUp: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'finhook-bench-'));
  // The database server may run as another user, which needs access to its folder below.
  chmodSync(folder, 0o711);
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Minutes and seconds since the run began. */
function sinceStart(): string {
  const seconds = Math.floor(performance.now() / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

interface ServerFacts {
  readonly postgresVersion: string;
  readonly durability: string;
}

async function readFacts(adminUrl: string): Promise<ServerFacts> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string; fsync: string; commit: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS commit`,
  );
  await client.end();
  const [settings] = rows;
  return {
    postgresVersion: settings?.version ?? 'unknown',
    durability: `fsync ${settings?.fsync}, synchronous_commit ${settings?.commit}`,
  };
}

/**
 * Starts PostgreSQL (durable), Redis if requested, and the receiver, for this checkout and that of `--against`. The
 * caller's stack stops them.
 */
export async function openEnvironments(
  options: Arguments,
  cleanUp: AsyncDisposableStack,
): Promise<{ readonly own: Environment; readonly against: Environment | undefined }> {
  const folder = makeFolder(cleanUp);
  mkdirSync(join(folder, 'logs'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), port: 0, durable: true });
  cleanUp.defer(postgres.stop);
  const adminUrl = postgres.url('postgres');
  const backends = await openBackends(options, cleanUp);
  const receiver = await startReceiverProcess();
  cleanUp.defer(receiver.stop);
  const { quick, full, minutes, profile } = options;
  const shared = {
    quick,
    full,
    minutes,
    receiver,
    backends,
    folder,
    ...(await readFacts(adminUrl)),
    postgres: { name: 'PostgreSQL', pid: postgres.pid },
    secretsKey: randomBytes(32).toString('base64'),
  };
  const nodeArguments = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const createEmptyDatabase = createDatabases(adminUrl, 'peer', async () => undefined);
  const open = async (root: URL, prefix: string): Promise<Environment> => {
    const checkout = await openCheckout(root, join(folder, 'code'));
    const who = options.against === undefined ? '' : `${checkout.commit}  `;
    return {
      ...shared,
      checkout,
      createDatabase: createDatabases(adminUrl, prefix, (url) => migrate(checkout.core, url, shared.secretsKey)),
      ...createStarters(checkout, shared, nodeArguments),
      createEmptyDatabase,
      peers: checkout.isOwn ? options.peers : [],
      note: (text) => console.error(`${sinceStart()}  ${who}${text}`),
    };
  };
  const own = await open(ownRoot, 'bench');
  if (options.against === undefined) return { own, against: undefined };
  return { own, against: await open(pathToFileURL(`${resolve(options.against)}/`), 'against') };
}
