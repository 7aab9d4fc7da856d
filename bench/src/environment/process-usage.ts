import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../report/statistics.ts';

const everyMs = 250;

export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
}

/** CPU seconds of a process and its children. */
export interface CpuUse {
  readonly name: string;
  readonly seconds: number;
}

/** In megabytes of a million bytes. */
function residentMemory(pid: number): number {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kibibytes) * 1024) / 1_000_000;
}

/** Peak memory per process, sampled every quarter of a second for a time in ms or until a promise settles. */
export async function mostMemory(pids: readonly number[], during: number | Promise<unknown>): Promise<number[]> {
  const most = pids.map(() => 0);
  const over = Promise.resolve(typeof during === 'number' ? delay(during) : during).then(() => true);
  do {
    for (const [i, pid] of pids.entries()) most[i] = Math.max(most[i] ?? 0, residentMemory(pid));
  } while (!(await Promise.race([over, delay(everyMs, false)])));
  return most;
}

/** Memory per process every `stepMs` until a promise settles. */
export async function sampleMemory(
  pids: readonly number[],
  stepMs: number,
  until: Promise<unknown>,
): Promise<Sample[][]> {
  const samples = pids.map((): Sample[] => []);
  const startedAt = performance.now();
  const over = until.then(() => true);
  do {
    const at = performance.now() - startedAt;
    for (const [i, pid] of pids.entries()) samples[i]?.push({ at, value: residentMemory(pid) });
  } while (!(await Promise.race([over, delay(stepMs, false)])));
  return samples;
}

/** Fields of `/proc/<pid>/stat` after the program's name; times in ticks. */
const fields = { parent: 1, user: 11, system: 12, endedUser: 13, endedSystem: 14 };
const ticksPerSecond = 100;

function readStat(pid: number | string): number[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}

/**
 * CPU seconds of a process and its children, exited ones included: PostgreSQL has one per connection. NaN without /proc.
 */
function cpuSeconds(pid: number): number {
  const own = readStat(pid);
  if (own === undefined) return Number.NaN;
  const ticks = (stat: readonly number[], ...names: (keyof typeof fields)[]) =>
    names.reduce((sum, name) => sum + (stat[fields[name]] ?? 0), 0);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(name);
      return stat?.[fields.parent] === pid ? [ticks(stat, 'user', 'system')] : [];
    });
  const used = ticks(own, 'user', 'system', 'endedUser', 'endedSystem');
  return children.reduce((sum, child) => sum + child, used) / ticksPerSecond;
}

/** What each process uses while `work` runs. */
export async function measureCpu<T>(
  processes: readonly NamedProcess[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly used: readonly CpuUse[] }> {
  const before = processes.map(({ pid }) => cpuSeconds(pid));
  const result = await work();
  return { result, used: processes.map(({ name, pid }, i) => ({ name, seconds: cpuSeconds(pid) - (before[i] ?? 0) })) };
}
