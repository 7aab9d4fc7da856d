import type { Environment, EnvironmentDatabase } from '../environment/environment.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { seedDeliveries, settle } from '../environment/seed-deliveries.ts';
import { joinReceipts } from '../processes/receiver-report.ts';
import { comparedFigure } from '../report/figure.ts';
import { type Spread, spreadOf } from '../report/statistics.ts';
import type { Scenario } from './scenario.ts';

const healthyAccounts = 2;
const endpointsPerAccount = 50;
/** Posts per second to each of the two accounts; each post is one delivery, to one healthy endpoint. */
const postsPerSecond = 50;
const goal = 1.5;
const drainMs = 30_000;

const misbehaving = [
  { path: '/hang', due: 10_000 },
  { path: '/fail', due: 2_000 },
  { path: '/drip', due: 2_000 },
] as const;

/** Each healthy endpoint listens to a company of its own, so that posts to companies in turn reach endpoints in turn. */
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

async function latencies(
  environment: Environment,
  apiUrl: string,
  accounts: readonly SeededAccount[],
  series: number,
): Promise<Spread> {
  const warmupMs = environment.quick ? 1_000 : 5_000;
  // Longer than a request's timeout of 15 s, so that hanging requests end and begin again.
  const durationMs = environment.quick ? 4_000 : 40_000;
  await environment.receiver.reset({ keepReceipts: true });
  const loads = accounts.map(({ apiKey, companyIds }) =>
    runLoad({
      kind: 'api',
      target: { url: apiUrl, apiKey, protocol: 'rest' },
      traffic: { what: 'balances', companyIds, series },
      pace: { kind: 'open', perSecond: postsPerSecond },
      warmupMs,
      durationMs,
    }),
  );
  const results = await Promise.all(loads);
  const requests = accounts.length * Math.round(((warmupMs + durationMs) / 1000) * postsPerSecond);
  await environment.receiver.waitFor(requests, drainMs);
  return spreadOf(
    joinReceipts(
      results.flatMap(({ accepted }) => accepted),
      await environment.receiver.receipts(),
    ),
  );
}

/** B4: whether endpoints that hang, fail or drip slow down the others. */
export const fairnessScenario: Scenario = {
  id: 'B4',
  run: async (environment) => {
    const [backend] = environment.backends;
    const database = await environment.createDatabase();
    const accounts = await seedHealthy(environment, database);
    await settle(database);
    const api = await environment.startApi(database, backend);
    const worker = await environment.startWorker(database, backend);
    await worker.ready;
    environment.note(`B4: 100 healthy endpoints, ${backend.name} queue`);
    const alone = await latencies(environment, api.url, accounts, 0);
    environment.note('B4: beside one that hangs, one that fails and one that drips');
    await seedMisbehaving(environment, database);
    const beside = await latencies(environment, api.url, accounts, 1);
    await worker.stop();
    await api.stop();
    await backend.clear();
    await database.drop();
    const measured = (name: string, value: number) => ({ scenario: 'B4', name, value, unit: 'ms' }) as const;
    return [
      measured('100 healthy endpoints alone, p50', alone.p50),
      measured('100 healthy endpoints alone, p99', alone.p99),
      measured('beside hanging, failing and dripping ones, p50', beside.p50),
      comparedFigure(
        measured('beside hanging, failing and dripping ones, p99', beside.p99),
        { id: 'alone', value: alone.p99 },
        { atMost: goal },
      ),
    ];
  },
};
