import { createQueueProducer } from '@finhook/queue';
import { createLogger } from '@finhook/runtime';
import type { Backend, Environment, EnvironmentDatabase } from '../environment/environment.ts';
import { type Cpu, measureCpu } from '../environment/process-usage.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { seedDeliveries, settle } from '../environment/seed-deliveries.ts';
import { waitUntil } from '../environment/start-process.ts';
import { comparedFigure, type Figure } from '../report/figure.ts';
import { deliveryCpuFigures } from './cpu-measurements.ts';
import type { Scenario } from './scenario.ts';

const endpointCounts = [1, 20, 200, 2_000];
const endpointsPerAccount = 50;
const withinMs = 120_000;

/** The PostgreSQL queue has at least this share of Redis' throughput. */
const postgresGoal = 0.8;

async function seed(
  environment: Environment,
  database: EnvironmentDatabase,
  endpoints: number,
  count: number,
): Promise<SeededAccount[]> {
  const shares = Array.from({ length: Math.ceil(endpoints / endpointsPerAccount) }, (_, i) =>
    Math.min(endpointsPerAccount, endpoints - i * endpointsPerAccount),
  );
  const urls = (share: number) =>
    Array.from({ length: share }, (_, i) => ({ url: `${environment.receiver.url}/ok/${i}` }));
  const asked = shares.map((share) => ({ companies: 1, endpoints: urls(share) }));
  const accounts = await seedAccounts(environment, database, asked);
  for (const account of accounts) {
    const share = Math.round((count * account.endpointIds.length) / endpoints);
    await seedDeliveries(database, account, account.endpointIds, share);
  }
  await settle(database);
  return accounts;
}

/** Wakes every endpoint, like the api after each commit. */
async function wakeAll(queueUrl: string, accounts: readonly SeededAccount[]): Promise<void> {
  const logger = createLogger({ name: 'bench', level: 'silent' });
  const producer = createQueueProducer(queueUrl, { logger });
  const endpoints = accounts.flatMap(({ accountId, endpointIds }) => endpointIds.map((id) => ({ id, accountId })));
  await producer.deliver({ endpoints });
  await producer.close();
}

async function checkLedger(database: EnvironmentDatabase, count: number): Promise<void> {
  const recorded = (): Promise<{ succeeded: number; attempts: number; due: number }[]> =>
    database.query(`SELECT (SELECT count(*)::int FROM delivery WHERE status = 'succeeded') AS succeeded,
      (SELECT count(*)::int FROM attempt WHERE status_code = 200) AS attempts, (SELECT count(*)::int FROM due) AS due`);
  await waitUntil(`${count} deliveries are recorded as succeeded`, 10_000, async () => {
    const [row] = await recorded();
    return row?.succeeded === count && row.attempts >= count && row.due === 0;
  });
}

interface Drained {
  readonly deliveries: number;
  readonly perSecond: number;
  readonly cpu: Cpu;
}

/**
 * Deliveries per second to the last receipt, each received and recorded, after a fifth as many for warm-up: V8 compiles
 * hot code in the first seconds.
 */
async function drain(environment: Environment, backend: Backend, endpoints: number): Promise<Drained> {
  const measured = environment.quick ? 5_000 : 50_000;
  const count = measured + measured / 5;
  const database = await environment.createDatabase();
  const accounts = await seed(environment, database, endpoints, count);
  await environment.receiver.reset();
  const queueUrl = backend.queueUrl(database);
  await wakeAll(queueUrl, accounts);
  const worker = await environment.startWorker(database, backend);
  const warm = await environment.receiver.waitFor(count - measured, withinMs);
  const processes = [{ name: 'worker', pid: worker.pid }, environment.postgres, ...backend.processes];
  const { result: done, ...cpu } = await measureCpu(processes, () => environment.receiver.waitFor(count, withinMs));
  await checkLedger(database, count);
  await worker.stop();
  await backend.clear();
  await database.drop();
  const deliveries = done.received - warm.received;
  return { deliveries, perSecond: (1000 * deliveries) / (done.lastAt - warm.lastAt), cpu };
}

/** B1: throughput of a backlog, over few and many endpoints, on each queue backend. */
export const drainScenario: Scenario = {
  id: 'B1',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const endpoints of endpointCounts) {
      const name = `drain, ${endpoints} endpoints`;
      let redis: number | undefined;
      for (const backend of environment.backends) {
        environment.note(`B1: ${name}, ${backend.name} queue`);
        const { deliveries, perSecond: value, cpu } = await drain(environment, backend, endpoints);
        const what = `${name}, ${backend.name} queue`;
        const measured = { scenario: 'B1', name: what, value, unit: 'deliveries/s' } as const;
        figures.push(measured, ...deliveryCpuFigures(cpu, 'B1', deliveries, what).slice(0, 1));
        if (backend.name === 'redis') redis = value;
        else if (redis !== undefined) {
          const compared = { ...measured, name: `${name}, postgres beside redis queue` };
          figures.push(comparedFigure(compared, { id: 'Redis', value: redis }, { atLeast: postgresGoal }));
        }
      }
    }
    return figures;
  },
};
