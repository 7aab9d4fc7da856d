import type { PeerProgram } from '../arguments.ts';
import type { Backend, Deployment, Environment, EnvironmentDatabase } from '../environment/environment.ts';
import type { NamedProcess } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { waitUntil } from '../environment/start-process.ts';
import type { ApiLoad, ApiTarget } from '../loads/load.ts';
import { peers } from '../peers/peers.ts';
import { startPeer } from '../peers/start-peer.ts';
import type { Figure } from '../report/figure.ts';
import { apiConnections, companies, endpointsOfEvent, threeEndpoints } from './scenario.ts';

const drainMs = 120_000;

/** The service with its own database, and an account whose events go to three endpoints. */
export interface RunningProcesses {
  readonly environment: Environment;
  readonly backend: Backend;
  readonly database: EnvironmentDatabase;
  readonly account: SeededAccount;
  readonly apiUrl: string;
  readonly protocol: ApiTarget['protocol'];
  /** Of the service. */
  readonly processes: readonly NamedProcess[];
  /** Resolves once these deliveries are recorded, in addition to earlier ones. */
  readonly recorded: (deliveries: number) => Promise<void>;
}

/** Of the service and its stores. */
export function allProcesses({ environment, backend, processes }: RunningProcesses): readonly NamedProcess[] {
  return [...processes, environment.postgres, ...backend.processes];
}

/**
 * Runs `measure` with a service of its own for each backend and each deployment that the checkout has, and with each
 * peer. `where` is for the names of figures.
 */
export async function inEachDeployment(
  environment: Environment,
  measure: (running: RunningProcesses, where: string) => Promise<readonly Figure[]>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const backend of environment.backends) {
    for (const deployment of environment.deployments) {
      const where = `${backend.name} queue${deployment === 'combined' ? ', one process' : ''}`;
      const measureHere = (running: RunningProcesses) => measure(running, where);
      figures.push(...(await withProcesses(environment, backend, measureHere, deployment)));
    }
  }
  for (const program of environment.peers) {
    figures.push(...(await withPeer(environment, program, (running) => measure(running, program.name))));
  }
  return figures;
}

/** Runs `work` with a peer on databases of its own, and a tenant whose events go to three endpoints. */
async function withPeer<T>(
  environment: Environment,
  program: PeerProgram,
  work: (running: RunningProcesses) => Promise<T>,
): Promise<T> {
  const backend = environment.backends.find(({ name }) => name === 'redis');
  if (backend === undefined) throw new Error('The peers need Redis: install redis-server.');
  const database = await environment.createEmptyDatabase();
  const urls = threeEndpoints(environment).map(({ url }) => url);
  const { tenantId, token, url, processes, stop } = await startPeer(environment, program, { database, backend, urls });
  let expected = 0;
  const isRecorded = async () => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${peers[program.name].attempts}`,
    );
    return (row?.count ?? 0) >= expected;
  };
  const result = await work({
    environment,
    backend,
    database,
    account: { accountId: tenantId, apiKey: token, companyIds: [tenantId], endpointIds: [] },
    apiUrl: url,
    protocol: program.name,
    processes,
    recorded: (deliveries) => {
      expected += deliveries;
      return waitUntil('all attempts are recorded', drainMs, isRecorded);
    },
  });
  await stop();
  await backend.clear();
  await database.drop();
  return result;
}

/** Runs `work` with its own service. */
export async function withProcesses<T>(
  environment: Environment,
  backend: Backend,
  work: (running: RunningProcesses) => Promise<T>,
  deployment: Deployment = 'separate',
): Promise<T> {
  const database = await environment.createDatabase();
  const [account] = await seedAccounts(environment, database, [{ companies, endpoints: threeEndpoints(environment) }]);
  if (account === undefined) throw new Error('No account was seeded.');
  const service = await environment.startService(database, backend, deployment);
  const result = await work({
    environment,
    backend,
    database,
    account,
    apiUrl: service.url,
    protocol: 'rest',
    processes: service.processes,
    recorded: () =>
      waitUntil('nothing is due', drainMs, async () => (await database.query('SELECT FROM due LIMIT 1')).length === 0),
  });
  await service.stop();
  await backend.clear();
  await database.drop();
  return result;
}

/** Balance posts at a rate; each series has its own keys. */
export function openLoad(
  { account, apiUrl, protocol }: RunningProcesses,
  times: { readonly perSecond: number; readonly warmupMs: number; readonly durationMs: number },
  series: number,
): ApiLoad {
  const { perSecond, warmupMs, durationMs } = times;
  return {
    kind: 'api',
    target: { url: apiUrl, apiKey: account.apiKey, protocol },
    traffic: { what: 'balances', companyIds: account.companyIds, series },
    pace: { kind: 'open', perSecond },
    warmupMs,
    durationMs,
  };
}

/**
 * The maximum throughput in posts per second: received or accepted during a closed loop of 32 connections, whichever is
 * less.
 */
export async function capacityOf(running: RunningProcesses): Promise<number> {
  const { environment, apiUrl } = running;
  await environment.receiver.reset();
  const load = openLoad(running, { perSecond: 0, warmupMs: 0, durationMs: 8_000 }, 1);
  const pace = { kind: 'closed', connections: apiConnections } as const;
  const { count, all = count, seconds } = await runLoad({ ...load, pace });
  const { received, firstAt, lastAt } = await environment.receiver.report();
  await environment.receiver.waitFor(endpointsOfEvent * all, 120_000);
  environment.note(`${apiUrl} took ${Math.round(count / seconds)} posts/s beside the worker`);
  return Math.min(count / seconds, (1000 * received) / endpointsOfEvent / (lastAt - firstAt));
}

/** Waits until the deliveries of these posts are received and recorded; returns their number. */
export async function allDelivered({ environment, recorded }: RunningProcesses, posts: number): Promise<number> {
  const deliveries = endpointsOfEvent * posts;
  await environment.receiver.waitFor(deliveries, drainMs);
  await recorded(deliveries);
  return deliveries;
}
