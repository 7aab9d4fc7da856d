import { backlogScenario } from './backlog.ts';
import { costScenario } from './cost.ts';
import { drainScenario } from './drain.ts';
import { fairnessScenario } from './fairness.ts';
import { flatnessScenario } from './flatness.ts';
import { floodScenario } from './flood.ts';
import { fullLoadScenario } from './full-load.ts';
import { latencyScenario } from './latency.ts';
import { memoryScenario } from './memory.ts';
import { ordinaryLoadScenario } from './ordinary-load.ts';
import type { Scenario } from './scenario.ts';
import { soakScenario } from './soak.ts';
import { startUpScenario } from './start-up.ts';
import { throughputScenario } from './throughput.ts';

/** In order of measurement. */
export const scenarios: readonly Scenario[] = [
  drainScenario,
  latencyScenario,
  throughputScenario,
  fairnessScenario,
  flatnessScenario,
  memoryScenario,
  costScenario,
  startUpScenario,
  ordinaryLoadScenario,
  fullLoadScenario,
  floodScenario,
  backlogScenario,
  soakScenario,
];
