import type { Figure, ScenarioId } from '../report/figure.ts';
import type { Stage } from '../stage/stage.ts';

/** Measures one thing. */
export interface Scenario {
  readonly id: ScenarioId;
  run: (stage: Stage) => Promise<readonly Figure[]>;
}
