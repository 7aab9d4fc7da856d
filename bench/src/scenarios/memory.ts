import type { Environment, EnvironmentDatabase } from '../environment/environment.ts';
import { mostMemory } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { type SeededAccount, seedAccounts } from '../environment/seed-account.ts';
import { settle } from '../environment/seed-deliveries.ts';
import { seedHistory } from '../environment/seed-history.ts';
import type { LoadResult } from '../loads/load.ts';
import { boundedFigure, type Figure, grouped } from '../report/figure.ts';
import { apiConnections, companies, type Scenario } from './scenario.ts';

const goals = { worker: 300, api: 250 };
const endpoints = 20;
const LINE_FEED = 10;

function figures(what: string, [api = 0, worker = 0]: readonly number[]): Figure[] {
  const measured = (name: string, value: number) =>
    ({ scenario: 'B6', name: `${name}, ${what}`, value, unit: 'MB' }) as const;
  return [boundedFigure(measured('api', api), goals.api), boundedFigure(measured('worker', worker), goals.worker)];
}

/** Memory of the api during posts in a closed loop. */
function post(url: string, { apiKey, companyIds }: SeededAccount, durationMs: number): Promise<LoadResult> {
  return runLoad({
    kind: 'api',
    target: { url, apiKey, protocol: 'rest' },
    traffic: { what: 'balances', companyIds, series: 1 },
    pace: { kind: 'closed', connections: apiConnections },
    warmupMs: 0,
    durationMs,
  });
}

/** Reads all transactions as CSV. @throws Error if some are missing */
async function readExport(url: string, { apiKey, companyIds }: SeededAccount, rows: number): Promise<void> {
  const path = `${url}/api/v1/companies/${companyIds[0]}/bank/transactions?format=csv`;
  const { body, status } = await fetch(path, { headers: { authorization: `Bearer ${apiKey}` } });
  let lines = 0;
  for await (const chunk of body ?? []) for (const byte of chunk) if (byte === LINE_FEED) lines++;
  if (status !== 200 || lines !== rows + 1) throw new Error(`The export had ${lines} lines (status ${status}).`);
}

async function measure(environment: Environment, database: EnvironmentDatabase): Promise<Figure[]> {
  const rows = environment.quick ? 50_000 : 1_000_000;
  const urls = Array.from({ length: endpoints }, (_, i) => ({ url: `${environment.receiver.url}/ok/${i}` }));
  const [account] = await seedAccounts(environment, database, [{ companies, endpoints: urls }]);
  if (account === undefined) throw new Error('No account was seeded.');
  const [backend] = environment.backends;
  const api = await environment.startApi(database, backend);
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => api.stop());
  const watchMs = environment.quick ? 3_000 : 20_000;
  environment.note('B6: idle');
  const idleWorker = await environment.startWorker(database, backend);
  await idleWorker.ready;
  const idle = await mostMemory([api.pid, idleWorker.pid], watchMs / 2);
  await idleWorker.stop();
  environment.note(`B6: making ${rows} due deliveries`);
  await seedHistory(database, account, rows);
  await settle(database);
  environment.note('B6: with the backlog');
  const worker = await environment.startWorker(database, backend);
  cleanUp.defer(() => worker.stop());
  await worker.ready;
  const [busy] = await Promise.all([mostMemory([api.pid, worker.pid], watchMs), post(api.url, account, watchMs)]);
  const count = grouped(rows);
  const found = [...figures('idle', idle), ...figures(`${count} due deliveries being delivered, and posts`, busy)];
  if (!environment.full) return found;
  environment.note('B6: an export');
  const reading = readExport(api.url, account, rows);
  const exporting = await mostMemory([api.pid, worker.pid], reading);
  return [...found, ...figures(`the same, and an export of ${count} rows`, exporting)];
}

/** B6: memory of the processes, also with a large backlog. */
export const memoryScenario: Scenario = {
  id: 'B6',
  run: async (environment) => {
    const database = await environment.createDatabase();
    try {
      return await measure(environment, database);
    } finally {
      await environment.backends[0].clear();
      await database.drop();
    }
  },
};
