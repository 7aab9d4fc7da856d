import type { Environment } from '../environment/environment.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { usualQuota } from '../environment/starters.ts';
import type { LoadResult } from '../loads/load.ts';
import { comparedFigure, type Figure } from '../report/figure.ts';
import { spreadOf } from '../report/statistics.ts';
import { companies, type Scenario } from './scenario.ts';

/** Clients that waited for the service and return together. */
const waiting = 800;
/** Posts per second that follow from the same account. */
const newPerSecond = 30;
const newMs = 30_000;
/** Posts of another account. */
const otherPerSecond = 25;
/** Start of the backlog; the other account's posts are measured before it, too. */
const delayMs = 3_000;
const permitted = { id: 'permitted', value: usualQuota / 2 };
/** Share of the permitted rate. */
const rateGoal = 0.8;
/** Share of the new posts that are accepted; they share the permitted rate with the backlog. */
const newGoal = 0.5;
const p99Goal = 1.5;
/** Responses with 429 per post. */
const rejectedGoal = 1.25;

const measured = (name: string, value: number, unit: Figure['unit']) =>
  ({ scenario: 'B12', name, value, unit }) as const;

interface Recovery {
  /** When the last of the waiting posts was accepted, in s. */
  readonly drained: number;
  /** Accepted per second until then, in total and of new posts. */
  readonly rate: number;
  readonly newRate: number;
  readonly rejected: number;
  readonly posts: number;
}

function readRecovery({ accepted, rejected = 0 }: LoadResult): Recovery {
  const startAt = Math.min(...accepted.map(([, due]) => due));
  const old = accepted.filter(([, due]) => due === startAt);
  const drainedAt = Math.max(...old.map(([, , at]) => at));
  const drained = (drainedAt - startAt) / 1000;
  const meanwhile = accepted.filter(([, , at]) => at <= drainedAt);
  const rate = meanwhile.length / drained;
  return { drained, rate, newRate: (meanwhile.length - old.length) / drained, rejected, posts: accepted.length };
}

function recoveryFigures(what: string, { drained, rate, rejected, posts }: Recovery): Figure[] {
  return [
    measured(`${what}: drained after`, drained, 's'),
    comparedFigure(measured(`${what}: posts until then`, rate, 'requests/s'), permitted, { atLeast: rateGoal }),
    comparedFigure(
      measured(`${what}: rejected posts`, rejected, 'requests'),
      { id: 'posts', value: posts },
      { atMost: rejectedGoal },
    ),
  ];
}

interface Place {
  readonly environment: Environment;
  readonly url: string;
  readonly account: SeededAccount;
  readonly other: SeededAccount;
}

async function recover({ url, account }: Place, series: number, perSecond: number): Promise<Recovery> {
  const { apiKey, companyIds } = account;
  const target = { url, apiKey, protocol: 'rest' } as const;
  const load = { target, companyIds, series, waiting, delayMs, perSecond, durationMs: newMs };
  return readRecovery(await runLoad({ kind: 'backlog', ...load }));
}

/** Latencies of the other account's posts. */
async function postsOfOther({ url, other }: Place, series: number, durationMs: number): Promise<readonly number[]> {
  const { latencies } = await runLoad({
    kind: 'api',
    target: { url, apiKey: other.apiKey, protocol: 'rest' },
    traffic: { what: 'balances', companyIds: other.companyIds, series },
    pace: { kind: 'open', perSecond: otherPerSecond },
    warmupMs: 2_000,
    durationMs,
  });
  return latencies;
}

async function measure(place: Place): Promise<Figure[]> {
  const { environment } = place;
  const durationMs = environment.quick ? 15_000 : newMs;
  environment.note('B12: 800 waiting');
  await postsOfOther(place, 0, 5_000);
  const alone = await recover(place, 1, 0);
  environment.note('B12: another account alone');
  const usual = spreadOf(await postsOfOther(place, 2, durationMs));
  environment.note('B12: 800 waiting and 30/s, beside another account');
  const [beside, latencies] = await Promise.all([recover(place, 3, newPerSecond), postsOfOther(place, 4, durationMs)]);
  const busy = spreadOf(latencies);
  const both = `${waiting} waiting and ${newPerSecond}/s`;
  return [
    ...recoveryFigures(`${waiting} waiting`, alone),
    ...recoveryFigures(both, beside),
    comparedFigure(
      measured(`${both}: new posts accepted meanwhile`, beside.newRate, 'requests/s'),
      { id: 'sent', value: newPerSecond },
      { atLeast: newGoal },
    ),
    measured("another account's posts alone, p50", usual.p50, 'ms'),
    measured("another account's posts alone, p99", usual.p99, 'ms'),
    measured("another account's posts meanwhile, p50", busy.p50, 'ms'),
    comparedFigure(
      measured("another account's posts meanwhile, p99", busy.p99, 'ms'),
      { id: 'alone', value: usual.p99 },
      { atMost: p99Goal },
    ),
  ];
}

/**
 * B12: clients of one account that return together are served at the permitted rate, and delay neither new posts nor
 * others.
 */
export const backlogScenario: Scenario = {
  id: 'B12',
  run: async (environment) => {
    const [backend] = environment.backends;
    const database = await environment.createDatabase();
    const [account, other] = await seedAccounts(environment, database, [
      { companies, endpoints: [] },
      { companies, endpoints: [] },
    ]);
    if (account === undefined || other === undefined) throw new Error('No account was seeded.');
    const api = await environment.startApi(database, backend, 'limited');
    const figures = await measure({ environment, url: api.url, account, other });
    await api.stop();
    await backend.clear();
    await database.drop();
    return figures;
  },
};
