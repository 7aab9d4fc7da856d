import type { Backend, Environment } from '../environment/environment.ts';
import { runLoad } from '../environment/run-load.ts';
import { joinReceipts } from '../processes/receiver-report.ts';
import { boundedFigure, type Figure } from '../report/figure.ts';
import { spreadOf } from '../report/statistics.ts';
import { endpointsOfEvent, type Scenario } from './scenario.ts';
import { capacityOf, openLoad, type RunningProcesses, withProcesses } from './with-processes.ts';

const postsPerSecond = 200;
const goals = { p50: 20, p99: 100 };
/** Time for deliveries in flight after the last response. */
const drainMs = 30_000;

/** Latencies of every delivery at this rate, in ms. */
async function latenciesAt(running: RunningProcesses, perSecond: number, series: number): Promise<number[]> {
  const { environment } = running;
  await environment.receiver.reset({ keepReceipts: true });
  const [warmupMs, durationMs] = environment.quick ? [1_000, 3_000] : [3_000, 15_000];
  const { accepted } = await runLoad(openLoad(running, { perSecond, warmupMs, durationMs }, series));
  const requests = Math.round(((warmupMs + durationMs) / 1000) * perSecond);
  await environment.receiver.waitFor(endpointsOfEvent * requests, drainMs);
  return joinReceipts(accepted, await environment.receiver.receipts());
}

function figuresOf(name: string, latencies: readonly number[], bounded: boolean): Figure[] {
  const spread = spreadOf(latencies);
  const measured = (what: 'p50' | 'p99' | 'max') =>
    ({ scenario: 'B2', name: `${name}, ${what}`, value: spread[what], unit: 'ms' }) as const;
  if (!bounded) return [measured('p50'), measured('p99'), measured('max')];
  return [boundedFigure(measured('p50'), goals.p50), boundedFigure(measured('p99'), goals.p99), measured('max')];
}

async function atShares(environment: Environment, backend: Backend): Promise<Figure[]> {
  return withProcesses(environment, backend, async (running) => {
    environment.note(`B2: capacity, ${backend.name} queue`);
    const capacity = await capacityOf(running);
    const name = `posts and deliveries side by side, ${backend.name} queue`;
    const figures: Figure[] = [{ scenario: 'B2', name, value: capacity, unit: 'requests/s' }];
    for (const [index, share] of [0.5, 0.8].entries()) {
      const rate = Math.round(share * capacity);
      environment.note(`B2: ${rate} posts/s, ${backend.name} queue`);
      const latencies = await latenciesAt(running, rate, 2 + index);
      figures.push(...figuresOf(`${share} of it (${rate} posts/s)`, latencies, false));
    }
    return figures;
  });
}

/** B2: latency from a post to its webhook at a fixed rate; in a full run also at shares of the maximum throughput. */
export const latencyScenario: Scenario = {
  id: 'B2',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const backend of environment.backends) {
      const name = `${postsPerSecond} posts/s, 3 endpoints, ${backend.name} queue`;
      environment.note(`B2: ${name}`);
      const latencies = await withProcesses(environment, backend, (running) => latenciesAt(running, postsPerSecond, 0));
      figures.push(...figuresOf(name, latencies, true));
    }
    if (!environment.quick) figures.push(...(await atShares(environment, environment.backends[0])));
    return figures;
  },
};
