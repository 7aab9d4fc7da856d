import type { Backend, Environment } from '../environment/environment.ts';
import { measureCpu } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { settle } from '../environment/seed-deliveries.ts';
import type { Figure } from '../report/figure.ts';
import { deliveryCpuFigures } from './cpu-measurements.ts';
import type { Scenario } from './scenario.ts';
import { allDelivered, allProcesses, openLoad, type RunningProcesses, withProcesses } from './with-processes.ts';

const perSecond = 200;

/** CPU so far. */
interface Used {
  readonly walBytes: number;
  readonly databaseBytes: number;
}

async function readUsed({ database }: RunningProcesses): Promise<Used> {
  const [row] = await database.query<{ wal: string; size: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS size`,
  );
  return {
    walBytes: Number(row?.wal),
    databaseBytes: Number(row?.size),
  };
}

/**
 * Posts at the rate for a time and waits until everything is delivered and recorded. Returns the number of deliveries.
 */
async function deliver(running: RunningProcesses, durationMs: number, series: number): Promise<number> {
  await running.environment.receiver.reset();
  await runLoad(openLoad(running, { perSecond, warmupMs: 0, durationMs }, series));
  return allDelivered(running, Math.round((durationMs / 1000) * perSecond));
}

async function measure(environment: Environment, backend: Backend): Promise<Figure[]> {
  return withProcesses(environment, backend, async (running) => {
    environment.note(`B7: ${perSecond} posts/s, ${backend.name} queue`);
    // Warm-up: compiles programs and fills caches.
    await deliver(running, environment.quick ? 2_000 : 5_000, 0);
    await settle(running.database);
    const before = await readUsed(running);
    const durationMs = environment.quick ? 8_000 : 20_000;
    const { result: deliveries, ...cpu } = await measureCpu(allProcesses(running), () =>
      deliver(running, durationMs, 1),
    );
    const after = await readUsed(running);
    const perDelivery = (name: keyof Used) => (after[name] - before[name]) / deliveries;
    const figure = (name: string, value: number, unit: Figure['unit']): Figure => ({
      scenario: 'B7',
      name: `${name}, ${backend.name} queue`,
      value,
      unit,
    });
    return [
      ...deliveryCpuFigures(cpu, 'B7', deliveries, `${backend.name} queue`),
      figure('WAL for 1 000 deliveries', perDelivery('walBytes') / 1_000, 'MB'),
      figure('database for each delivery', perDelivery('databaseBytes'), 'bytes'),
    ];
  });
}

/** B7: the CPU cost of a delivery, with its third of a balance post, without load generator and receiver. */
export const costScenario: Scenario = {
  id: 'B7',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const backend of environment.backends) figures.push(...(await measure(environment, backend)));
    return figures;
  },
};
