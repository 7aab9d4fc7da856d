import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@finhook/embedded';
import { redisAgrees, redisCommands } from './redis-commands.ts';
import { type RedisServer, startRedis } from './start-redis.ts';

interface RedisCluster {
  /** `redis-cluster://` with all three masters. */
  readonly url: string;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Starts the masters again after `stop`; they remember each other. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const slotRanges = ['0 5460', '5461 10922', '10923 16383'] as const;

/** A Redis Cluster of three masters without replicas on 127.0.0.1. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const root = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  const masters: { server: RedisServer; port: number; busPort: number }[] = [];
  for (const index of slotRanges.keys()) {
    const dir = join(root, String(index));
    mkdirSync(dir);
    // The default port of the bus, 10 000 above, may exceed the range.
    const [port, busPort] = [await freePort(), await freePort()];
    const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)];
    masters.push({ server: await startRedis({ port, dir, args }), port, busPort });
  }
  const each = (work: (master: (typeof masters)[number]) => Promise<unknown>) => Promise.all(masters.map(work));
  const agreed = () => each(({ port }) => redisAgrees(port, 'CLUSTER INFO', /cluster_state:ok[^]*known_nodes:3/));
  const stop = () => each(({ server }) => server.stop());

  for (const [index, { port }] of masters.entries()) {
    await redisCommands(port, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`, `CLUSTER ADDSLOTSRANGE ${slotRanges[index]}`);
  }
  const [first, ...others] = masters;
  if (first === undefined) throw new Error('The cluster has no master.');
  await redisCommands(first.port, ...others.map(({ port, busPort }) => `CLUSTER MEET 127.0.0.1 ${port} ${busPort}`));
  await agreed();
  return {
    url: `redis-cluster://${masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    flush: async () => void (await each(({ port }) => redisCommands(port, 'FLUSHALL'))),
    stop: async () => void (await stop()),
    restart: async () => {
      await each(({ server }) => server.restart());
      await agreed();
    },
    close: async () => {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
