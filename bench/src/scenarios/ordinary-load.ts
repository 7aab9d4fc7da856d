import { setTimeout as delay } from 'node:timers/promises';
import { measureCpu } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { settle } from '../environment/seed-deliveries.ts';
import { isPeer } from '../peers/peers.ts';
import { joinReceipts } from '../processes/receiver-report.ts';
import { boundedFigure, type Figure } from '../report/figure.ts';
import { spreadOf } from '../report/statistics.ts';
import { cpuMeasurements, deliveryCpuFigures } from './cpu-measurements.ts';
import type { Scenario } from './scenario.ts';
import { allDelivered, allProcesses, inEachDeployment, openLoad, type RunningProcesses } from './with-processes.ts';

const rates = [10, 100, 500];
/** Goals at this rate: ms from the response to a post to its webhooks. */
const goals = { rate: 100, p50: 1.5, p99: 4 };
/** Percent of a core, on the PostgreSQL queue. */
const mostIdle = 2;

/** `where` names the queue and the processes. */
async function atRate(
  running: RunningProcesses,
  where: string,
  { perSecond, series }: { readonly perSecond: number; readonly series: number },
): Promise<Figure[]> {
  const { environment } = running;
  const what = `${perSecond} posts/s, ${where}`;
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
      perSecond === goals.rate && !isPeer(running.protocol) ? goals : undefined,
    ),
    ...deliveryCpuFigures(cpu, 'B9', result.deliveries, what),
  ];
}

async function idle(running: RunningProcesses, where: string): Promise<Figure[]> {
  const { environment, backend, database } = running;
  environment.note(`B9: idle, ${where}`);
  // Without the work of autovacuum and the checkpointer after the load.
  await settle(database);
  await delay(2_000);
  const seconds = environment.quick ? 10 : 20;
  const cpu = await measureCpu(allProcesses(running), () => delay(1_000 * seconds));
  const [all, ...each] = cpuMeasurements(cpu, 'B9', `idle, ${where}`, {
    name: 'CPU',
    unit: '% of a core',
    scale: 100 / seconds,
  });
  if (all === undefined) return [];
  return [backend.name === 'postgres' ? boundedFigure(all, mostIdle) : all, ...each];
}

async function measure(running: RunningProcesses, where: string): Promise<readonly Figure[]> {
  const { environment } = running;
  // Warm-up: compiles programs and fills caches.
  const warmup = { perSecond: 200, warmupMs: 0, durationMs: 5_000 };
  await environment.receiver.reset();
  await allDelivered(running, (await runLoad(openLoad(running, warmup, 0))).count);
  await settle(running.database);
  const figures: Figure[] = [];
  for (const [index, perSecond] of (environment.quick || isPeer(running.protocol) ? [goals.rate] : rates).entries()) {
    figures.push(...(await atRate(running, where, { perSecond, series: 1 + index })));
  }
  return [...figures, ...(await idle(running, where))];
}

/** B9: latency and CPU under ordinary load, and idle CPU. */
export const ordinaryLoadScenario: Scenario = {
  id: 'B9',
  run: (environment) => inEachDeployment(environment, measure),
};
