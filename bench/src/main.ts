import { readFileSync, writeFileSync } from 'node:fs';
import { type Arguments, parseArguments } from './arguments.ts';
import type { Environment } from './environment/environment.ts';
import { mostStolen, runCalm } from './environment/host-steal.ts';
import { openEnvironments } from './environment/open-environment.ts';
import { compareRounds, type Round } from './report/compare-rounds.ts';
import { describeMachine } from './report/describe-machine.ts';
import { boundedFigure, type Figure } from './report/figure.ts';
import { renderMarkdown, renderText } from './report/render-table.ts';
import { replaceSection } from './report/replace-section.ts';
import { median } from './report/statistics.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';

interface Measured {
  readonly figures: readonly Figure[];
  /** Per scenario, if another checkout was measured too. */
  readonly rounds: readonly (readonly CalmRound[])[];
}

interface CalmRound extends Round {
  /** Percent of the machine's time that its host took. */
  readonly stolen: number;
}

async function measure({ only, rounds }: Arguments, own: Environment, against?: Environment): Promise<Measured> {
  const chosen = scenarios.filter(({ id }) => only.includes(id));
  const figures: Figure[] = [];
  const taken: CalmRound[][] = [];
  // Shown at once, so that a later failure doesn't lose them.
  const add = (measured: readonly Figure[]): void => {
    figures.push(...measured);
    console.log(renderText(measured));
  };
  for (const scenario of chosen) {
    if (against === undefined) {
      const { result, stolen } = await runCalm(() => scenario.run(own), own);
      add([...result, stolenFigure(scenario, stolen)]);
      continue;
    }
    const turns = await takeTurns(scenario, own, against, rounds);
    taken.push(turns);
    const stolen = median(turns.map((turn) => turn.stolen));
    add([...compareRounds(turns, against.checkout.commit), stolenFigure(scenario, stolen)]);
  }
  return { figures, rounds: taken };
}

async function takeTurns(
  { run }: Scenario,
  own: Environment,
  against: Environment,
  rounds: number,
): Promise<CalmRound[]> {
  const taken: CalmRound[] = [];
  for (let round = 0; round < rounds; round++) {
    // Alternates who is first, so that the after-effects of a turn affect both.
    const take = async () => {
      const first = await run(round % 2 === 0 ? against : own);
      const second = await run(round % 2 === 0 ? own : against);
      return round % 2 === 0 ? { own: second, against: first } : { own: first, against: second };
    };
    const { result, stolen } = await runCalm(take, own);
    taken.push({ ...result, stolen });
  }
  return taken;
}

function stolenFigure({ id: scenario }: Scenario, value: number): Figure {
  return boundedFigure({ scenario, name: 'time that the host took', value, unit: '%' }, mostStolen);
}

function write(
  options: Arguments,
  environment: Environment,
  { figures, rounds }: Measured,
  against?: Environment,
): void {
  const machine = describeMachine({
    ...environment,
    commit: environment.checkout.commit,
    against: against === undefined ? undefined : `${against.checkout.commit}, in turn, rounds: ${options.rounds}`,
    queues: environment.backends.map(({ name }) => name),
  });
  const lines = Object.entries(machine).map(([name, value]) => `${name}: ${value}`);
  console.log(`\n${renderText(figures)}\n\n${lines.join('\n')}`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, figures, rounds }, null, 2)}\n`);
  if (options.markdown !== undefined) {
    const section = `${renderMarkdown(figures)}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
    writeFileSync(options.markdown, replaceSection(readFileSync(options.markdown, 'utf8'), section));
  }
}

function readArguments(): Arguments {
  try {
    return parseArguments(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(2);
  }
}

const options = readArguments();
const cleanUp = new AsyncDisposableStack();
const end = (code: number): void => {
  void cleanUp.disposeAsync().finally(() => process.exit(code));
};
process.once('SIGINT', () => end(130));
process.once('SIGTERM', () => end(143));
try {
  const { own, against } = await openEnvironments(options, cleanUp);
  write(options, own, await measure(options, own, against), against);
} finally {
  await cleanUp.disposeAsync();
}
