import type { Cpu } from '../environment/process-usage.ts';
import type { Figure, ScenarioId } from '../report/figure.ts';

/** `scale` turns CPU seconds into the unit. */
interface CpuMeasure {
  readonly name: string;
  readonly unit: Figure['unit'];
  readonly scale: number;
}

/**
 * CPU of all processes together and of each, and of other programs: on a busy machine deliveries wait, are sent in
 * larger batches and cost less.
 */
export function cpuMeasurements(
  { used, othersBusy }: Cpu,
  scenario: ScenarioId,
  what: string,
  { name: measure, unit, scale }: CpuMeasure,
): Figure[] {
  const all = { name: 'all processes', seconds: used.reduce((sum, { seconds }) => sum + seconds, 0) };
  const each = [all, ...used].map(
    ({ name, seconds }): Figure => ({ scenario, name: `${what}, ${measure}, ${name}`, value: scale * seconds, unit }),
  );
  return [...each, { scenario, name: `${what}, other programs`, value: 100 * othersBusy, unit: '% of a core' }];
}

export function deliveryCpuFigures(cpu: Cpu, scenario: ScenarioId, deliveries: number, what: string): Figure[] {
  return cpuMeasurements(cpu, scenario, what, {
    name: 'CPU for 1 000 deliveries',
    unit: 's',
    scale: 1_000 / deliveries,
  });
}
