import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type SupervisedProcess, spawnSupervised } from '@finhook/embedded';
import { redisServerBinary } from './env.ts';
import { type RedisServer, redisAgrees, redisCommands, startRedis } from './start-redis.ts';

interface RedisCluster {
  /** `redis-cluster://` with all three masters. */
  readonly url: string;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** After `stop`, with the same state. */
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

interface RedisSentinel {
  /** `redis-sentinel://` with one sentinel and the name of the master. */
  readonly url: string;
  /** SIGKILL to the master; resolves when the replica is the master. */
  readonly failOver: () => Promise<void>;
  /** The raw reply of the current master. */
  readonly ask: (command: string) => Promise<string>;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** After `stop`, with the same master. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const masterName = 'finhook';

async function startSentinel(root: string, port: number, masterPort: number) {
  const binary = redisServerBinary() ?? '';
  const dir = join(root, 'sentinel');
  mkdirSync(dir);
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 1`,
    `sentinel down-after-milliseconds ${masterName} 1000`,
    `sentinel failover-timeout ${masterName} 4000`,
  ];
  writeFileSync(join(dir, 'sentinel.conf'), `${settings.join('\n')}\n`);
  const args = [join(dir, 'sentinel.conf'), '--sentinel'];
  const start = () => spawnSupervised({ binary, args, cwd: dir, readyText: 'Sentinel ID is' });
  let server: SupervisedProcess = await start();
  const stop = async () => {
    server.signal('SIGTERM');
    await server.exited;
  };
  const restart = async () => {
    server = await start();
  };
  return { stop, restart };
}

/** One master, one replica and one sentinel on 127.0.0.1. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const root = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  const open = async (name: string, args: readonly string[]) => {
    const [dir, port] = [join(root, name), await freePort()];
    mkdirSync(dir);
    // The replica syncs at once, so that an early failover finds it.
    const quick = ['--repl-diskless-sync-delay', '0', ...args];
    return { port, server: await startRedis({ port, dir, args: quick }) };
  };
  const master = await open('master', []);
  const replica = await open('replica', ['--replicaof', '127.0.0.1', String(master.port)]);
  const nodes = [master, replica];
  await redisAgrees(replica.port, 'INFO replication', /master_link_status:up/);
  const port = await freePort();
  const sentinel = await startSentinel(root, port, master.port);
  const knowsReplica = () => redisAgrees(port, `SENTINEL replicas ${masterName}`, /master-link-status\r\n\$2\r\nok/);
  await knowsReplica();

  const isMasterNow = (node: typeof master) =>
    redisAgrees(port, `SENTINEL get-master-addr-by-name ${masterName}`, new RegExp(`\r\n${node.port}\r\n`));
  const currentMaster = async () => {
    const reply = await redisCommands(port, `SENTINEL get-master-addr-by-name ${masterName}`);
    return nodes.find((node) => reply.includes(`\r\n${node.port}\r\n`)) ?? master;
  };
  const stop = async () => {
    await sentinel.stop();
    await Promise.all(nodes.map(({ server }) => server.stop()));
  };
  return {
    url: `redis-sentinel://127.0.0.1:${port}/${masterName}`,
    failOver: async () => {
      const old = await currentMaster();
      await old.server.kill();
      for (const node of nodes) if (node !== old) await isMasterNow(node);
    },
    ask: async (command) => redisCommands((await currentMaster()).port, command),
    flush: async () => void (await redisCommands((await currentMaster()).port, 'FLUSHALL')),
    stop,
    restart: async () => {
      for (const { server } of nodes) await server.restart();
      await redisAgrees(replica.port, 'INFO replication', /role:master|master_link_status:up/);
      await sentinel.restart();
      await knowsReplica();
    },
    close: async () => {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
