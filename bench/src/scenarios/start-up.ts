import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { benchEnv } from '../env.ts';
import type { Checkout } from '../environment/checkout.ts';
import type { Environment } from '../environment/environment.ts';
import { boundedFigure, type Figure } from '../report/figure.ts';
import { median } from '../report/statistics.ts';
import type { Scenario } from './scenario.ts';

const goals = { cold: 5, warm: 2 };
const readyText = 'finhook is ready';

interface Way {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `node` is the command of the script; with pnpm, the README's commands are measured too. */
function waysToStart({ root }: Checkout): Way[] {
  const manifest = readFileSync(new URL('package.json', root), 'utf8');
  const [, launcher] = /"start": ".*\bnode (\S+\.ts)"/.exec(manifest) ?? [];
  if (launcher === undefined) throw new Error('The start script runs no node program.');
  const ways = [{ name: 'node', command: process.execPath, args: [launcher] }];
  const { runner, searchPath } = benchEnv();
  const found = searchPath.map((folder) => join(folder, 'pnpm')).find(isProgram);
  const pnpm = runner ?? found;
  if (pnpm === undefined) return ways;
  const script = /\.c?js$/.test(pnpm);
  const start = { command: script ? process.execPath : pnpm, args: script ? [pnpm, 'start'] : ['start'] };
  return [...ways, { name: 'pnpm start', ...start }];
}

/** Seconds from spawning it until its ready line; then stops it. */
async function timeStart(root: URL, { command, args }: Way, dataFolder: string): Promise<number> {
  const { inherited } = benchEnv();
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...inherited, PORT: '0', FINHOOK_DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that a script runner and its child can be stopped together.
    detached: true,
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  let seconds: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!line.includes(readyText)) continue;
    seconds = (performance.now() - startedAt) / 1000;
    break;
  }
  child.stdout.resume();
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  await exited;
  if (seconds === undefined) throw new Error(`It did not start:\n${lines.slice(-20).join('\n')}`);
  return seconds;
}

async function measure(environment: Environment, way: Way): Promise<Figure[]> {
  const { root } = environment.checkout;
  const runs = environment.quick ? 1 : 5;
  const cold: number[] = [];
  const warm: number[] = [];
  for (let run = 0; run < runs; run++) {
    const folder = mkdtempSync(join(environment.folder, 'local-'));
    chmodSync(folder, 0o711);
    cold.push(await timeStart(root, way, folder));
    warm.push(await timeStart(root, way, folder));
  }
  const measured = (name: string, values: readonly number[]) =>
    ({ scenario: 'B8', name: `${way.name}, ${name}, median of ${runs}`, value: median(values), unit: 's' }) as const;
  return [boundedFigure(measured('cold', cold), goals.cold), boundedFigure(measured('warm', warm), goals.warm)];
}

/** B8: from starting an installed checkout to ready, with a new and with a used data folder. */
export const startUpScenario: Scenario = {
  id: 'B8',
  run: async (environment) => {
    const figures: Figure[] = [];
    for (const way of waysToStart(environment.checkout).slice(environment.quick ? -1 : 0)) {
      environment.note(`B8: start by ${way.name}`);
      figures.push(...(await measure(environment, way)));
    }
    return figures;
  },
};
