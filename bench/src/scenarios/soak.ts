import { sampleMemory } from '../environment/process-usage.ts';
import { runLoad } from '../environment/run-load.ts';
import { boundedFigure, type Figure } from '../report/figure.ts';
import { growthPerMinute, type Sample } from '../report/statistics.ts';
import type { Scenario } from './scenario.ts';
import { allDelivered, capacityOf, openLoad, type RunningProcesses, withProcesses } from './with-processes.ts';

const share = 0.5;
const samples = 240;
/** More than a steady process drifts in ten minutes, less than a leak of a hundred bytes per delivery. */
const mostGrowth = 1;
const mostMemory: Readonly<Record<string, number>> = { api: 250, worker: 300 };

function figuresOf(name: string, values: readonly Sample[], minutes: number): Figure[] {
  const measured = (what: string, value: number, unit: Figure['unit']) =>
    ({ scenario: 'SOAK', name: `${name}, ${minutes} min at half capacity, ${what}`, value, unit }) as const;
  const most = Math.max(...values.map(({ value }) => value));
  return [
    boundedFigure(measured('most memory', most, 'MB'), mostMemory[name] ?? Number.NaN),
    boundedFigure(measured('growth', growthPerMinute(values), 'MB/min'), mostGrowth),
  ];
}

async function soak(running: RunningProcesses, minutes: number): Promise<Figure[]> {
  const { environment, processes } = running;
  const perSecond = Math.max(1, Math.round(share * (await capacityOf(running))));
  environment.note(`SOAK: ${perSecond} posts/s for ${minutes} minutes`);
  await environment.receiver.reset();
  const durationMs = minutes * 60_000;
  const loading = runLoad({ ...openLoad(running, { perSecond, warmupMs: 0, durationMs }, 2), countOnly: true });
  const pids = processes.map(({ pid }) => pid);
  const memory = await sampleMemory(pids, durationMs / samples, loading);
  // Every post must be accepted and every delivery arrive: a service that drops work stays small.
  const { count } = await loading;
  await allDelivered(running, Math.round((durationMs / 1000) * perSecond));
  return [
    {
      scenario: 'SOAK',
      name: `posts, ${minutes} min at half capacity`,
      value: count / (60 * minutes),
      unit: 'requests/s',
    },
    ...processes.flatMap(({ name }, i) => figuresOf(name, memory[i] ?? [], minutes)),
  ];
}

/** The soak: the memory of api and worker is stable under steady load. On request only. */
export const soakScenario: Scenario = {
  id: 'SOAK',
  run: (environment) =>
    withProcesses(environment, environment.backends[0], (running) => soak(running, environment.minutes)),
};
