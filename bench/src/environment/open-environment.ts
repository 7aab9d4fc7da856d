import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCore } from '@finhook/core';
import { freePort, startEmbeddedPostgres } from '@finhook/embedded';
import { redisServerBinary, startRedis } from '@finhook/testing';
import type { Arguments } from '../arguments.ts';
import type { Backend, Environment, EnvironmentDatabase } from './environment.ts';
import { createDatabases } from './open-database.ts';
import { imageSettings, keepCode, startProcess } from './start-process.ts';
import { startReceiverProcess } from './start-receiver-process.ts';

const apiMain = new URL('main.ts', import.meta.resolve('@finhook/api'));
const workerMain = new URL('main.ts', import.meta.resolve('@finhook/worker'));

const postgresBackend: Backend = {
  name: 'postgres',
  pid: undefined,
  queueUrl: ({ url }) => url,
  // Its jobs are in the measurement's database and are dropped with it.
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
  const redisBackend: Backend = { name: 'redis', pid: redis.pid, queueUrl: () => redis.url, clear: redis.flush };
  return wanted === 'redis' ? [redisBackend] : [redisBackend, postgresBackend];
}

async function migrate(databaseUrl: string, secretsKey: string): Promise<void> {
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

/** Environment variables of the services: defaults, without rate limits, with local receivers allowed. */
function environmentOf(
  secretsKey: string,
  nodeSettings: Record<string, string>,
  database: EnvironmentDatabase,
  backend: Backend,
): Record<string, string> {
  return {
    ...nodeSettings,
    DATABASE_URL: database.url,
    QUEUE_URL: backend.queueUrl(database),
    SECRETS_KEY: secretsKey,
    ALLOW_INSECURE_WEBHOOKS: 'true',
    RATE_LIMIT_REQUESTS: '0',
  };
}

/** Minutes and seconds since the run began. */
function sinceStart(): string {
  const seconds = Math.floor(performance.now() / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Starts PostgreSQL (durable), Redis if requested, and the receiver. The caller's stack stops them. */
export async function openEnvironment(options: Arguments, cleanUp: AsyncDisposableStack): Promise<Environment> {
  const folder = makeFolder(cleanUp);
  const secretsKey = randomBytes(32).toString('base64');
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), port: 0, durable: true });
  cleanUp.defer(postgres.stop);
  const backends = await openBackends(options, cleanUp);
  const receiver = await startReceiverProcess();
  cleanUp.defer(receiver.stop);
  const createDatabase = createDatabases(postgres.url('postgres'), (url) => migrate(url, secretsKey));
  const probe = await createDatabase();
  const [settings] = await probe.query<{ version: string; fsync: string; commit: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS commit`,
  );
  await probe.drop();
  const logFolder = join(folder, 'logs');
  mkdirSync(logFolder);
  const codeFolder = join(folder, 'code');
  const nodeSettings = { api: imageSettings('api', codeFolder), worker: imageSettings('worker', codeFolder) };
  await keepCode(nodeSettings.api, apiMain);
  await keepCode(nodeSettings.worker, workerMain);
  const nodeArguments = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  return {
    quick: options.quick,
    full: options.full,
    minutes: options.minutes,
    postgresPid: postgres.pid,
    receiver,
    backends,
    secretsKey,
    folder,
    postgresVersion: settings?.version ?? 'unknown',
    durability: `fsync ${settings?.fsync}, synchronous_commit ${settings?.commit}`,
    createDatabase,
    startApi: async (database, backend) => {
      const port = await freePort();
      const environment = { ...environmentOf(secretsKey, nodeSettings.api, database, backend), PORT: String(port) };
      const common = { logFolder, nodeArguments, readyText: '"msg":"ready"' };
      const service = await startProcess({ name: 'api', main: apiMain, environment, ...common });
      await service.ready;
      return { ...service, url: `http://127.0.0.1:${port}` };
    },
    startWorker: (database, backend) => {
      const environment = environmentOf(secretsKey, nodeSettings.worker, database, backend);
      const common = { logFolder, nodeArguments, readyText: 'worker started' };
      return startProcess({ name: 'worker', main: workerMain, environment, ...common });
    },
    note: (text) => console.error(`${sinceStart()}  ${text}`),
  };
}
