import { measureCpu } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { settle } from '../environment/seed-deliveries.ts';
import type { LoadResult } from '../loads/load.ts';
import { joinReceipts } from '../processes/receiver-report.ts';
import type { Figure } from '../report/figure.ts';
import { spreadOf } from '../report/statistics.ts';
import { deliveryCpuFigures } from './cpu-measurements.ts';
import { apiConnections, type Scenario } from './scenario.ts';
import { allDelivered, allProcesses, inEachDeployment, openLoad, type RunningProcesses } from './with-processes.ts';

/** Posts in a closed loop until everything is delivered and recorded. */
async function flood(
  running: RunningProcesses,
  durationMs: number,
  series: number,
): Promise<{ posts: LoadResult; deliveries: number }> {
  await running.environment.receiver.reset({ keepReceipts: true });
  const load = openLoad(running, { perSecond: 0, warmupMs: 0, durationMs }, series);
  const posts = await runLoad({ ...load, pace: { kind: 'closed', connections: apiConnections, keepAccepted: true } });
  return { posts, deliveries: await allDelivered(running, posts.all ?? posts.count) };
}

async function measure(running: RunningProcesses, where: string): Promise<readonly Figure[]> {
  const { environment } = running;
  const what = `${apiConnections} connections, ${where}`;
  environment.note(`B10: ${what}`);
  await flood(running, environment.quick ? 2_000 : 4_000, 0);
  await settle(running.database);
  const durationMs = environment.quick ? 10_000 : 20_000;
  const { result, ...cpu } = await measureCpu(allProcesses(running), () => flood(running, durationMs, 1));
  const { posts, deliveries } = result;
  const { lastAt } = await environment.receiver.report();
  const [firstPostAt = Number.NaN] = posts.accepted.map(([, dueAt]) => dueAt);
  const latency = spreadOf(joinReceipts(posts.accepted, await environment.receiver.receipts()));
  const figure = (name: string, value: number, unit: Figure['unit']): Figure => ({
    scenario: 'B10',
    name: `${what}, ${name}`,
    value,
    unit,
  });
  return [
    figure('delivered until the last receipt', (1_000 * deliveries) / (lastAt - firstPostAt), 'deliveries/s'),
    figure('posts', posts.count / posts.seconds, 'requests/s'),
    figure('receipt, p50', latency.p50, 'ms'),
    figure('receipt, p99', latency.p99, 'ms'),
    ...deliveryCpuFigures(cpu, 'B10', deliveries, what),
  ];
}

/** B10: throughput of api and worker together, with posts in a closed loop. */
export const fullLoadScenario: Scenario = {
  id: 'B10',
  run: (environment) => inEachDeployment(environment, measure),
};
