import { setTimeout as delay } from 'node:timers/promises';
import type { Backend, Environment } from '../environment/environment.ts';
import { measureCpu } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { settle } from '../environment/seed-deliveries.ts';
import { joinReceipts } from '../processes/receiver-report.ts';
import { boundedFigure, type Figure } from '../report/figure.ts';
import { spreadOf } from '../report/statistics.ts';
import { cpuMeasurements, deliveryCpuFigures } from './cpu-measurements.ts';
import type { Scenario } from './scenario.ts';
import { allDelivered, allProcesses, openLoad, type RunningProcesses, withProcesses } from './with-processes.ts';

const rates = [10, 100, 500];
/** Goals at this rate: ms from the response to a post to its webhooks. */
const goals = { rate: 100, p50: 1.5, p99: 4 };
/** Percent of a core, on the PostgreSQL queue. */
const mostIdle = 2;

async function atRate(running: RunningProcesses, perSecond: number, series: number): Promise<Figure[]> {
  const { environment, backend } = running;
  const what = `${perSecond} posts/s, ${backend.name} queue`;
  environment.note(`B9: ${what}`);
  await environment.receiver.reset({ keepReceipts: true });
  const durationMs = environment.quick ? 15_000 : 20_000;
  const { result, ...cpu } = await measureCpu(allProcesses(running), async () => {
    const posts = await runLoad(openLoad(running, { perSecond, warmupMs: 0, durationMs }, series));
    return { posts, deliveries: await allDelivered(running, posts.count) };
  });
  const { latencies, accepted } = result.posts;
  const receipts = await environment.receiver.receipts();
  const figures = (of: string, values: readonly number[], most?: { readonly p50: number; readonly p99: number }) => {
    const spread = spreadOf(values);
    return (['p50', 'p99'] as const).map((quantile): Figure => {
      const name = `${what}, ${of}, ${quantile}`;
      const measured = { scenario: 'B9', name, value: spread[quantile], unit: 'ms' } as const;
      return most === undefined ? measured : boundedFigure(measured, most[quantile]);
    });
  };
  return [
    ...figures('post', latencies),
    ...figures('receipt', joinReceipts(accepted, receipts)),
    ...figures(
      'receipt after response',
      joinReceipts(accepted, receipts, 'response'),
      perSecond === goals.rate ? goals : undefined,
    ),
    ...deliveryCpuFigures(cpu, 'B9', result.deliveries, what),
  ];
}

async function idle(running: RunningProcesses): Promise<Figure[]> {
  const { environment, backend, database } = running;
  environment.note(`B9: idle, ${backend.name} queue`);
  // Without the work of autovacuum and the checkpointer after the load.
  await settle(database);
  await delay(2_000);
  const seconds = environment.quick ? 10 : 20;
  const cpu = await measureCpu(allProcesses(running), () => delay(1_000 * seconds));
  const [all, ...each] = cpuMeasurements(cpu, 'B9', `idle, ${backend.name} queue`, {
    name: 'CPU',
    unit: '% of a core',
    scale: 100 / seconds,
  });
  if (all === undefined) return [];
  return [backend.name === 'postgres' ? boundedFigure(all, mostIdle) : all, ...each];
}

async function measure(environment: Environment, backend: Backend): Promise<Figure[]> {
  return withProcesses(environment, backend, async (running) => {
    // Warm-up: compiles programs and fills caches.
    const warmup = { perSecond: 200, warmupMs: 0, durationMs: 5_000 };
    await environment.receiver.reset();
    await allDelivered(running, (await runLoad(openLoad(running, warmup, 0))).count);
    await settle(running.database);
    const figures: Figure[] = [];
    for (const [index, rate] of (environment.quick ? [goals.rate] : rates).entries()) {
      figures.push(...(await atRate(running, rate, 1 + index)));
    }
    return [...figures, ...(await idle(running))];
  });
}

/** B9: latency and CPU under ordinary load, and idle CPU. */
export const ordinaryLoadScenario: Scenario = {
  id: 'B9',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const backend of environment.backends) figures.push(...(await measure(environment, backend)));
    return figures;
  },
};
