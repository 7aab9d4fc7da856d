import type { Environment, EnvironmentDatabase } from '../environment/environment.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { seedDeliveries, settle } from '../environment/seed-deliveries.ts';
import { joinReceipts } from '../processes/receiver-report.ts';
import { comparedFigure, type Figure } from '../report/figure.ts';
import { type Spread, spreadOf } from '../report/statistics.ts';
import type { Scenario } from './scenario.ts';
import { type RunningProcesses, withProcesses } from './with-processes.ts';

const healthyAccounts = 2;
const endpointsPerAccount = 50;
/** Posts per second to each of the two accounts; each post is one delivery, to one healthy endpoint. */
const postsPerSecond = 50;
/** To the fast endpoint beside slow ones. */
const fastPostsPerSecond = 10;
const slowEndpoints = 40;
/** More than a worker with 128 connections to the host could deliver meanwhile. */
const slowDue = 2_400;
const goal = 1.5;
const drainMs = 30_000;

const misbehaving = [
  { path: '/hang', due: 10_000 },
  { path: '/fail', due: 2_000 },
  { path: '/drip', due: 2_000 },
] as const;

/** Each healthy endpoint subscribes to its own company, so that posts to companies in turn reach endpoints in turn. */
async function seedHealthy(environment: Environment, database: EnvironmentDatabase): Promise<SeededAccount[]> {
  const endpoints = Array.from({ length: endpointsPerAccount }, (_, company) => ({
    url: `${environment.receiver.url}/ok/${company}`,
    company,
  }));
  const account = { companies: endpointsPerAccount, endpoints };
  return seedAccounts(
    environment,
    database,
    Array.from({ length: healthyAccounts }, () => account),
  );
}

async function seedMisbehaving(environment: Environment, database: EnvironmentDatabase): Promise<void> {
  const endpoints = misbehaving.map(({ path }) => ({ url: `${environment.receiver.url}${path}` }));
  const [account] = await seedAccounts(environment, database, [{ companies: 1, endpoints }]);
  if (account === undefined) throw new Error('No account was seeded.');
  for (const [index, { due }] of misbehaving.entries()) {
    await seedDeliveries(database, account, account.endpointIds.slice(index, index + 1), due);
  }
}

/** One endpoint in its own account. */
async function seedFast(environment: Environment, database: EnvironmentDatabase): Promise<SeededAccount[]> {
  const endpoints = [{ url: `${environment.receiver.url}/ok/fast` }];
  return seedAccounts(environment, database, [{ companies: 1, endpoints }]);
}

/** Another account, whose endpoints on the same host and port each respond after five seconds. */
async function seedSlow(environment: Environment, database: EnvironmentDatabase): Promise<void> {
  const endpoints = Array.from({ length: slowEndpoints }, (_, n) => ({ url: `${environment.receiver.url}/slow/${n}` }));
  const [account] = await seedAccounts(environment, database, [{ companies: 1, endpoints }]);
  if (account === undefined) throw new Error('No account was seeded.');
  await seedDeliveries(database, account, account.endpointIds, slowDue);
}

/** Of the posts, and from them to their receipts. */
interface Latencies {
  readonly posts: Spread;
  readonly receipts: Spread;
}

interface Round {
  readonly accounts: readonly SeededAccount[];
  /** Posts per second to each account. */
  readonly perSecond: number;
  readonly durationMs: number;
  readonly series: number;
}

async function latencies({ environment, apiUrl }: RunningProcesses, round: Round): Promise<Latencies> {
  const { accounts, perSecond, durationMs, series } = round;
  const warmupMs = environment.quick ? 1_000 : 5_000;
  await environment.receiver.reset({ keepReceipts: true });
  const loads = accounts.map(({ apiKey, companyIds }) =>
    runLoad({
      kind: 'api',
      target: { url: apiUrl, apiKey, protocol: 'rest' },
      traffic: { what: 'balances', companyIds, series },
      pace: { kind: 'open', perSecond },
      warmupMs,
      durationMs,
    }),
  );
  const results = await Promise.all(loads);
  const requests = accounts.length * Math.round(((warmupMs + durationMs) / 1000) * perSecond);
  await environment.receiver.waitFor(requests, drainMs);
  const accepted = results.flatMap((result) => result.accepted);
  return {
    posts: spreadOf(results.flatMap((result) => result.latencies)),
    receipts: spreadOf(joinReceipts(accepted, await environment.receiver.receipts())),
  };
}

const measured = (name: string, value: number) => ({ scenario: 'B4', name, value, unit: 'ms' }) as const;

function figures(what: string, alone: Latencies, besideWhat: string, beside: Latencies): Figure[] {
  const bound = { id: 'alone', value: alone.receipts.p99 };
  return [
    measured(`${what} alone, p50`, alone.receipts.p50),
    measured(`${what} alone, p99`, alone.receipts.p99),
    measured(`${besideWhat}, p50`, beside.receipts.p50),
    comparedFigure(measured(`${besideWhat}, p99`, beside.receipts.p99), bound, { atMost: goal }),
    measured(`${besideWhat}, posts, p50`, beside.posts.p50),
    measured(`${besideWhat}, posts, p99`, beside.posts.p99),
  ];
}

/** Measures healthy endpoints beside endpoints that hang, fail or drip. */
async function besideMisbehaving(running: RunningProcesses): Promise<Figure[]> {
  const { environment, database } = running;
  const accounts = await seedHealthy(environment, database);
  await settle(database);
  // Longer than a request's timeout of 15 s, so that hanging requests end and repeat.
  const round = { accounts, perSecond: postsPerSecond, durationMs: environment.quick ? 4_000 : 40_000 };
  environment.note('B4: 100 healthy endpoints');
  const alone = await latencies(running, { ...round, series: 0 });
  environment.note('B4: beside one that hangs, one that fails and one that drips');
  await seedMisbehaving(environment, database);
  const beside = await latencies(running, { ...round, series: 1 });
  return figures('100 healthy endpoints', alone, 'beside hanging, failing and dripping ones', beside);
}

/**
 * Measures a fast endpoint beside another account's slow endpoints on the same host and port, which share its
 * connections.
 */
async function besideSlow(running: RunningProcesses): Promise<Figure[]> {
  const { environment, database } = running;
  const accounts = await seedFast(environment, database);
  await settle(database);
  const round = { accounts, perSecond: fastPostsPerSecond, durationMs: environment.quick ? 15_000 : 60_000 };
  environment.note('B4: a fast endpoint');
  const alone = await latencies(running, { ...round, series: 2 });
  environment.note('B4: beside 40 slow ones of another account on its host and port');
  await seedSlow(environment, database);
  const beside = await latencies(running, { ...round, series: 3 });
  return figures('a fast endpoint', alone, 'beside 40 slow ones on its host', beside);
}

/** B4: misbehaving or slow endpoints don't slow down the others, or the requests. */
export const fairnessScenario: Scenario = {
  id: 'B4',
  run: async (environment) => {
    const [backend] = environment.backends;
    const found: Figure[] = [];
    for (const deployment of environment.deployments) {
      for (const part of [besideMisbehaving, besideSlow]) {
        const here = await withProcesses(environment, backend, part, deployment);
        const where = deployment === 'combined' ? ', one process' : '';
        found.push(...here.map((figure) => ({ ...figure, name: figure.name + where })));
      }
    }
    return found;
  },
};
