import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@finhook/embedded';
import type { PeerProgram } from '../arguments.ts';
import { benchEnv } from '../env.ts';
import type { Backend, Environment, EnvironmentDatabase } from '../environment/environment.ts';
import type { NamedProcess } from '../environment/process-usage.ts';
import { type Service, startProcess, waitUntil } from '../environment/start-process.ts';
import type { PeerCall } from './peer.ts';
import { peers } from './peers.ts';

const readyWithinMs = 30_000;

interface Place {
  readonly database: EnvironmentDatabase;
  readonly backend: Backend;
  /** Of the tenant's endpoints. */
  readonly urls: readonly string[];
}

interface RunningPeer {
  readonly url: string;
  readonly token: string;
  readonly tenantId: string;
  readonly processes: readonly NamedProcess[];
  readonly stop: () => Promise<void>;
}

/** Starts a peer with its stores and creates a tenant. */
export async function startPeer(
  { folder }: Pick<Environment, 'folder'>,
  { name, binary }: PeerProgram,
  { database, backend, urls }: Place,
): Promise<RunningPeer> {
  const peer = peers[name];
  const logFolder = join(folder, 'logs');
  const broker = peer.needsBroker ? await startBroker(folder, logFolder) : undefined;
  const port = await freePort();
  const [databaseUrl, redisUrl] = [database.url, backend.queueUrl(database)];
  const environment = peer.settings({ port, databaseUrl, redisUrl, brokerUrl: broker?.url ?? '' });
  const [program, ...args] = peer.migration(binary);
  await promisify(execFile)(program, args, { env: environment, cwd: logFolder });
  const server = await startProcess({ name, command: [binary], environment, logFolder, readyText: peer.readyText });
  await server.ready;
  const url = `http://127.0.0.1:${port}`;
  const responds = () =>
    fetch(`${url}${peer.healthPath}`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(`${name} responds`, readyWithinMs, responds);
  const token = peer.token(environment);
  return {
    url,
    token,
    tenantId: await peer.seed(callerOf(url, token), urls),
    processes: [{ name, pid: server.pid }, ...(broker === undefined ? [] : [{ name: 'RabbitMQ', pid: broker.pid }])],
    stop: async () => {
      await server.stop();
      await broker?.stop();
    },
  };
}

function callerOf(url: string, token: string): PeerCall {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
  };
}

/** RabbitMQ without plugins, from the `PATH`, and the port mapper that it would otherwise leave behind. */
async function startBroker(
  folder: string,
  logFolder: string,
): Promise<Omit<Service, 'ready'> & { readonly url: string }> {
  const [port, distribution, mapper] = [await freePort(), await freePort(), await freePort()];
  const plugins = join(folder, 'rabbitmq-plugins');
  writeFileSync(plugins, '[].\n');
  const environment = {
    PATH: benchEnv().searchPath.join(':'),
    HOME: folder,
    ERL_EPMD_PORT: String(mapper),
    RABBITMQ_NODENAME: 'bench@localhost',
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder, `rabbitmq-${port}`),
    RABBITMQ_LOG_BASE: logFolder,
    RABBITMQ_LOGS: '-',
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq-none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
  };
  const epmd = await startProcess({
    name: 'epmd',
    command: ['epmd', '-port', String(mapper), '-address', '127.0.0.1'],
    environment,
    logFolder,
    readyText: '',
  });
  const broker = await startProcess({
    name: 'rabbitmq',
    command: ['rabbitmq-server'],
    environment,
    logFolder,
    readyText: 'Server startup complete',
  });
  await broker.ready;
  return {
    pid: broker.pid,
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    stop: async () => {
      await broker.stop();
      await epmd.stop();
    },
  };
}
