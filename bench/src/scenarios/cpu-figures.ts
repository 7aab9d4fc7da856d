import type { CpuUse } from '../environment/process-usage.ts';
import type { Figure, ScenarioId } from '../report/figure.ts';

/** CPU of all processes together and of each; `scale` turns its seconds into the figure's unit. */
export function cpuFigures(
  used: readonly CpuUse[],
  scenario: ScenarioId,
  unit: Figure['unit'],
  scale: number,
  nameOf: (process: string) => string,
): Figure[] {
  const all = { name: 'all processes', seconds: used.reduce((sum, { seconds }) => sum + seconds, 0) };
  return [all, ...used].map(({ name, seconds }) => ({ scenario, name: nameOf(name), value: scale * seconds, unit }));
}

/** CPU seconds for 1 000 deliveries. */
export function deliveryCpuFigures(
  used: readonly CpuUse[],
  scenario: ScenarioId,
  deliveries: number,
  what: string,
): Figure[] {
  return cpuFigures(
    used,
    scenario,
    's',
    1_000 / deliveries,
    (process) => `${what}, CPU for 1 000 deliveries, ${process}`,
  );
}
