import type { Backend, Environment } from '../environment/environment.ts';
import { cpuSeconds } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { settle } from '../environment/seed-deliveries.ts';
import type { Figure } from '../report/figure.ts';
import type { Scenario } from './scenario.ts';
import { allDelivered, openLoad, type RunningProcesses, withProcesses } from './with-processes.ts';

const perSecond = 200;

/** What was used so far. */
interface Used {
  readonly services: number;
  readonly postgres: number;
  readonly queue: number;
  readonly walBytes: number;
  readonly databaseBytes: number;
}

async function readUsed({ environment, database, pids }: RunningProcesses, backend: Backend): Promise<Used> {
  const [row] = await database.query<{ wal: string; size: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS size`,
  );
  return {
    services: cpuSeconds(pids.api) + cpuSeconds(pids.worker),
    postgres: cpuSeconds(environment.postgresPid),
    queue: backend.pid === undefined ? 0 : cpuSeconds(backend.pid),
    walBytes: Number(row?.wal),
    databaseBytes: Number(row?.size),
  };
}

/** Posts at the rate for a time and waits until everything is delivered and recorded; how many deliveries there were. */
async function deliver(running: RunningProcesses, durationMs: number, series: number): Promise<number> {
  await running.environment.receiver.reset();
  await runLoad(openLoad(running, { perSecond, warmupMs: 0, durationMs }, series));
  return allDelivered(running, Math.round((durationMs / 1000) * perSecond));
}

async function measure(environment: Environment, backend: Backend): Promise<Figure[]> {
  return withProcesses(environment, backend, async (running) => {
    environment.note(`B7: ${perSecond} posts/s, ${backend.name} queue`);
    // Programs are compiled and caches filled before it counts.
    await deliver(running, environment.quick ? 2_000 : 5_000, 0);
    await settle(running.database);
    const before = await readUsed(running, backend);
    const deliveries = await deliver(running, environment.quick ? 8_000 : 20_000, 1);
    const after = await readUsed(running, backend);
    const per = (count: number, name: keyof Used) => ((after[name] - before[name]) * count) / deliveries;
    const figure = (name: string, value: number, unit: Figure['unit']): Figure => ({
      scenario: 'B7',
      name: `${name}, ${backend.name} queue`,
      value,
      unit,
    });
    const [services, postgres, queue] = [per(1_000, 'services'), per(1_000, 'postgres'), per(1_000, 'queue')];
    return [
      figure('CPU for 1 000 deliveries, all processes', services + postgres + queue, 's'),
      figure('of it api and worker', services, 's'),
      figure('of it PostgreSQL', postgres, 's'),
      figure('WAL for 1 000 deliveries', per(1_000, 'walBytes') / 1_000_000, 'MB'),
      figure('database for each delivery', per(1, 'databaseBytes'), 'bytes'),
    ];
  });
}

/** B7: what a delivery costs, with its third of a balance post. Load generator and receiver are not counted. */
export const costScenario: Scenario = {
  id: 'B7',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const backend of environment.backends) figures.push(...(await measure(environment, backend)));
    return figures;
  },
};
