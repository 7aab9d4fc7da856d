import { request } from 'undici';
import type { LoadResult } from '../loads/load.ts';
import { boundedFigure, type Figure } from '../report/figure.ts';
import { grouped } from '../report/grouped.ts';
import { mostMemory } from '../stage/resident-memory.ts';
import { runLoad } from '../stage/run-load.ts';
import { type SeededAccount, seedAccounts } from '../stage/seed-account.ts';
import { settle } from '../stage/seed-deliveries.ts';
import { seedHistory } from '../stage/seed-history.ts';
import type { Stage, StageDatabase } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';
import { apiConnections, companies } from './traffic-shape.ts';

const goals = { worker: 300, api: 250 };
const endpoints = 20;
const LINE_FEED = 10;

function figures(what: string, [api = 0, worker = 0]: readonly number[]): Figure[] {
  const measured = (name: string, value: number) =>
    ({ scenario: 'B6', name: `${name}, ${what}`, value, unit: 'MB' }) as const;
  return [boundedFigure(measured('api', api), goals.api), boundedFigure(measured('worker', worker), goals.worker)];
}

/** What the api holds while it takes posts as fast as they come. */
function post(url: string, { apiKey, companyIds }: SeededAccount, durationMs: number): Promise<LoadResult> {
  return runLoad({
    kind: 'api',
    target: { url, apiKey, surface: 'rest' },
    traffic: { what: 'balances', companyIds, series: 1 },
    pace: { kind: 'closed', connections: apiConnections },
    warmupMs: 0,
    durationMs,
  });
}

/** Reads all transactions as CSV to the end. @throws Error when they are not all there. */
async function readExport(url: string, { apiKey, companyIds }: SeededAccount, rows: number): Promise<void> {
  const path = `${url}/api/v1/companies/${companyIds[0]}/bank/transactions?format=csv`;
  const { body, statusCode } = await request(path, { headers: { authorization: `Bearer ${apiKey}` } });
  let lines = 0;
  for await (const chunk of body) for (const byte of bytesOf(chunk)) if (byte === LINE_FEED) lines++;
  if (statusCode !== 200 || lines !== rows + 1)
    throw new Error(`The export had ${lines} lines (status ${statusCode}).`);
}

// A body is read in buffers unless an encoding is set.
function bytesOf(chunk: unknown): Uint8Array {
  return chunk as Uint8Array;
}

async function measure(stage: Stage, database: StageDatabase): Promise<Figure[]> {
  const rows = stage.quick ? 50_000 : 1_000_000;
  const urls = Array.from({ length: endpoints }, (_, i) => ({ url: `${stage.receiver.url}/ok/${i}` }));
  const [account] = await seedAccounts(stage, database, [{ companies, endpoints: urls }]);
  if (account === undefined) throw new Error('No account was seeded.');
  const [backend] = stage.backends;
  const api = await stage.startApi(database, backend);
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => api.stop());
  const watchMs = stage.quick ? 3_000 : 20_000;
  stage.note('B6: idle');
  const idleWorker = await stage.startWorker(database, backend);
  await idleWorker.ready;
  const idle = await mostMemory([api.pid, idleWorker.pid], watchMs / 2);
  await idleWorker.stop();
  stage.note(`B6: making ${rows} due deliveries`);
  await seedHistory(database, account, rows);
  await settle(database);
  stage.note('B6: with the backlog');
  const worker = await stage.startWorker(database, backend);
  cleanUp.defer(() => worker.stop());
  await worker.ready;
  const [busy] = await Promise.all([mostMemory([api.pid, worker.pid], watchMs), post(api.url, account, watchMs)]);
  const count = grouped(rows);
  const found = [...figures('idle', idle), ...figures(`${count} due deliveries being delivered, and posts`, busy)];
  if (!stage.full) return found;
  stage.note('B6: an export');
  const reading = readExport(api.url, account, rows);
  const exporting = await mostMemory([api.pid, worker.pid], reading);
  return [...found, ...figures(`the same, and an export of ${count} rows`, exporting)];
}

/** B6: what the processes need of the machine's memory, whatever waits in the database. */
export const memoryScenario: Scenario = {
  id: 'B6',
  run: async (stage) => {
    const database = await stage.createDatabase();
    try {
      return await measure(stage, database);
    } finally {
      await stage.backends[0].clear();
      await database.drop();
    }
  },
};
