import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@finhook/embedded';
import type { Client } from 'pg';
import { redisServerBinary, testEnv } from './env.ts';
import { startRedis } from './start-redis.ts';
import { startRedisCluster, startRedisSentinel } from './start-redis-groups.ts';
import { createTestDatabase, withClient } from './test-database.ts';

export type QueueBackendName = 'postgres' | 'redis';
export type RedisGroupName = 'redis-cluster' | 'redis-sentinel';

/** A server of one suite, which may stop it. */
export interface QueueBackend {
  readonly name: QueueBackendName | RedisGroupName;
  readonly url: string;
  /** Deletes every job and all tables or keys of the queue library, while its clients stay connected. */
  readonly flush: () => Promise<void>;
  /** Deletes every job, but keeps the tables of the queue library. */
  readonly empty: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** After `stop`, on the same URL. */
  readonly start: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly close: () => Promise<void>;
}

/**
 * The backends of this run that can be started on this machine: `describe.each(queueBackends())`. Warns of skipped
 * ones.
 */
export function queueBackends(): readonly QueueBackendName[] {
  const env = testEnv();
  const wanted = (['postgres', 'redis'] as const).filter((name) => env.queueBackends?.includes(name) ?? true);
  if (redisServerBinary(env) !== null || !wanted.includes('redis')) return wanted;
  console.warn('\n  !! There is no redis-server on the PATH: this suite does NOT run on Redis. !!\n');
  return wanted.filter((name) => name !== 'redis');
}

/** Groups of Redis servers that can be started. Warns of skipped ones. */
export function redisGroups(): readonly RedisGroupName[] {
  const env = testEnv();
  if (env.queueBackends?.includes('redis') === false) return [];
  if (redisServerBinary(env) !== null) return ['redis-cluster', 'redis-sentinel'];
  console.warn(
    '\n  !! There is no redis-server on the PATH: this suite does NOT run on Redis Cluster and Sentinel. !!\n',
  );
  return [];
}

export function startQueueBackend(name: QueueBackendName | RedisGroupName): Promise<QueueBackend> {
  if (name === 'postgres') return startPostgresBackend();
  if (name === 'redis') return startRedisBackend();
  return startGroup(name, name === 'redis-cluster' ? startRedisCluster : startRedisSentinel);
}

async function startGroup(
  name: RedisGroupName,
  open: () => Promise<Omit<QueueBackend, 'name' | 'start' | 'empty'> & { readonly restart: () => Promise<void> }>,
): Promise<QueueBackend> {
  const { restart, ...group } = await open();
  return { ...group, name, empty: group.flush, start: restart };
}

async function startRedisBackend(): Promise<QueueBackend> {
  const { url, flush, stop, restart } = await startRedis();
  return { name: 'redis', url, flush, empty: flush, stop, start: restart, close: stop };
}

/** A queue on this backend: on PostgreSQL, a database of the server at `adminUrl`. */
export async function openQueue(
  name: QueueBackend['name'],
  adminUrl: string,
): Promise<Pick<QueueBackend, 'url' | 'flush' | 'empty' | 'close'>> {
  if (name !== 'postgres') return startQueueBackend(name);
  const database = await createTestDatabase(adminUrl);
  return { ...postgresQueue(database.url), close: () => database.drop() };
}

/** A queue in an existing database. */
export function postgresQueue(url: string): Pick<QueueBackend, 'url' | 'flush' | 'empty'> {
  const empty = () => withClient(url, async (client) => void (await client.query(emptyQueueTables)));
  return { url, flush: () => withClient(url, dropQueueSchema), empty };
}

const emptyQueueTables = `SET session_replication_role = replica;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'bullmq' AND tablename NOT IN ('migration', 'meta') LOOP
      EXECUTE format('DELETE FROM bullmq.%I', name);
    END LOOP;
  END $$`;

async function startPostgresBackend(): Promise<QueueBackend> {
  const dir = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  chmodSync(dir, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(dir, 'postgres'),
    port: 0,
    durable: false,
    // For suites that run seven services at the same time, some with two workers.
    maxConnections: 300,
  });
  const url = postgres.url('postgres');
  return {
    ...postgresQueue(url),
    name: 'postgres',
    stop: postgres.stop,
    start: postgres.restart,
    close: async () => {
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The drop may be the victim of a deadlock with a running worker. */
async function dropQueueSchema(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('drop schema if exists bullmq cascade');
      return;
    } catch (error) {
      const deadlock = error instanceof Error && 'code' in error && error.code === '40P01';
      if (!deadlock || attempt === 20) throw error;
    }
  }
}
