import { boundedFigure, type Figure } from '../report/figure.ts';
import { spreadOf } from '../report/quantiles.ts';
import { runLoad } from '../stage/run-load.ts';
import { type SeededAccount, seedAccounts } from '../stage/seed-account.ts';
import type { Backend, Stage, StageDatabase } from '../stage/stage.ts';
import { joinReceipts } from './join-receipts.ts';
import type { Scenario } from './scenario.ts';
import { apiConnections, companies, threeEndpoints } from './traffic-shape.ts';

const postsPerSecond = 200;
const goals = { p50: 20, p99: 100 };
const endpoints = 3;
/** What may still be under way when the last request is answered. */
const drainMs = 30_000;

interface Running {
  readonly stage: Stage;
  readonly database: StageDatabase;
  readonly account: SeededAccount;
  readonly apiUrl: string;
}

/** Runs `work` with a database, an api and a worker of its own. */
async function withServices<T>(stage: Stage, backend: Backend, work: (running: Running) => Promise<T>): Promise<T> {
  const database = await stage.createDatabase();
  const [account] = await seedAccounts(stage, database, [{ companies, endpoints: threeEndpoints(stage) }]);
  if (account === undefined) throw new Error('No account was seeded.');
  const api = await stage.startApi(database, backend);
  const worker = await stage.startWorker(database, backend);
  await worker.ready;
  const result = await work({ stage, database, account, apiUrl: api.url });
  await worker.stop();
  await api.stop();
  await backend.clear();
  await database.drop();
  return result;
}

function openLoad({ stage, account, apiUrl }: Running, perSecond: number, series: number) {
  return {
    kind: 'api',
    target: { url: apiUrl, apiKey: account.apiKey, surface: 'rest' },
    traffic: { what: 'balances', companyIds: account.companyIds, series },
    pace: { kind: 'open', perSecond },
    warmupMs: stage.quick ? 1_000 : 5_000,
    durationMs: stage.quick ? 4_000 : 20_000,
  } as const;
}

/** Latencies of every delivery at this rate, in ms. */
async function latenciesAt(running: Running, perSecond: number, series: number): Promise<number[]> {
  const { stage } = running;
  await stage.receiver.reset({ keepReceipts: true });
  const load = openLoad(running, perSecond, series);
  const { accepted } = await runLoad(load);
  const requests = Math.round(((load.warmupMs + load.durationMs) / 1000) * perSecond);
  const { receipts } = await stage.receiver.waitFor(endpoints * requests, drainMs);
  return joinReceipts(accepted, receipts);
}

/**
 * Posts per second that the whole of it bears: what reaches the receiver while 32 connections post as fast as they are
 * answered, or what is accepted, whichever is less.
 */
async function capacityOf(running: Running): Promise<number> {
  const { stage, account, apiUrl } = running;
  await stage.receiver.reset();
  const durationMs = 8_000;
  const load = openLoad(running, 0, 1);
  const pace = { kind: 'closed', connections: apiConnections } as const;
  const { count, seconds } = await runLoad({ ...load, pace, warmupMs: 0, durationMs });
  const { received, firstAt, lastAt } = await stage.receiver.report();
  const expected = endpoints * (await postedEvents(running, account.accountId));
  await stage.receiver.waitFor(expected, 120_000);
  stage.note(`B2: ${apiUrl} took ${Math.round(count / seconds)} posts/s beside the worker`);
  return Math.min(count / seconds, (1000 * received) / endpoints / (lastAt - firstAt));
}

async function postedEvents({ database }: Running, accountId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM event WHERE account_id = $1 AND type = 'bank.balance.updated'`,
    [accountId],
  );
  return row?.count ?? 0;
}

function figuresOf(name: string, latencies: readonly number[], bounded: boolean): Figure[] {
  const spread = spreadOf(latencies);
  const measured = (what: 'p50' | 'p99' | 'max') =>
    ({ scenario: 'B2', name: `${name}, ${what}`, value: spread[what], unit: 'ms' }) as const;
  if (!bounded) return [measured('p50'), measured('p99'), measured('max')];
  return [boundedFigure(measured('p50'), goals.p50), boundedFigure(measured('p99'), goals.p99), measured('max')];
}

async function atShares(stage: Stage, backend: Backend): Promise<Figure[]> {
  return withServices(stage, backend, async (running) => {
    stage.note(`B2: capacity, ${backend.name} queue`);
    const capacity = await capacityOf(running);
    const name = `posts and deliveries side by side, ${backend.name} queue`;
    const figures: Figure[] = [{ scenario: 'B2', name, value: capacity, unit: 'requests/s' }];
    for (const [index, share] of [0.5, 0.8].entries()) {
      const rate = Math.round(share * capacity);
      stage.note(`B2: ${rate} posts/s, ${backend.name} queue`);
      const latencies = await latenciesAt(running, rate, 2 + index);
      figures.push(...figuresOf(`${share} of it (${rate} posts/s)`, latencies, false));
    }
    return figures;
  });
}

/** B2: how long from a post to its webhook, at a fixed rate; the whole run also at shares of what all of it bears. */
export const latencyScenario: Scenario = {
  id: 'B2',
  run: async (stage) => {
    const figures: Figure[] = [];
    for (const backend of stage.backends) {
      const name = `${postsPerSecond} posts/s, 3 endpoints, ${backend.name} queue`;
      stage.note(`B2: ${name}`);
      const latencies = await withServices(stage, backend, (running) => latenciesAt(running, postsPerSecond, 0));
      figures.push(...figuresOf(name, latencies, true));
    }
    if (!stage.quick) figures.push(...(await atShares(stage, stage.backends[0])));
    return figures;
  },
};
