import { readFileSync, writeFileSync } from 'node:fs';
import { type Arguments, parseArguments } from './arguments.ts';
import type { Environment } from './environment/environment.ts';
import { openEnvironment } from './environment/open-environment.ts';
import { describeMachine } from './report/describe-machine.ts';
import type { Figure } from './report/figure.ts';
import { renderMarkdown, renderText } from './report/render-table.ts';
import { replaceSection } from './report/replace-section.ts';
import { scenarios } from './scenarios/index.ts';

async function measure(options: Arguments, environment: Environment): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { id, run } of scenarios) {
    if (options.only.includes(id)) figures.push(...(await run(environment)));
  }
  return figures;
}

function write(
  options: Arguments,
  environment: Environment,
  figures: readonly Figure[],
  other?: readonly Figure[],
): void {
  const machine = describeMachine({
    ...environment,
    commit: environment.checkout.commit,
    queues: environment.backends.map(({ name }) => name),
  });
  const lines = Object.entries(machine).map(([name, value]) => `${name}: ${value}`);
  console.log(`\n${renderText(figures, other)}\n\n${lines.join('\n')}`);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ machine, figures }, null, 2)}\n`);
  if (options.markdown !== undefined) {
    const section = `${renderMarkdown(figures, other)}\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
    writeFileSync(options.markdown, replaceSection(readFileSync(options.markdown, 'utf8'), section));
  }
}

// What `--json` wrote.
function asResult(json: unknown): { figures: Figure[] } {
  return json as { figures: Figure[] };
}

function readFigures(file: string): Figure[] {
  return asResult(JSON.parse(readFileSync(file, 'utf8'))).figures;
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
const other = options.beside === undefined ? undefined : readFigures(options.beside);
const cleanUp = new AsyncDisposableStack();
const end = (code: number): void => {
  void cleanUp.disposeAsync().finally(() => process.exit(code));
};
process.once('SIGINT', () => end(130));
process.once('SIGTERM', () => end(143));
try {
  const environment = await openEnvironment(options, cleanUp);
  write(options, environment, await measure(options, environment), other);
} finally {
  await cleanUp.disposeAsync();
}
