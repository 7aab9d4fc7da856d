import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../report/statistics.ts';

const everyMs = 250;

export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
}

/** CPU seconds of a process and its descendants. */
interface CpuUse {
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

/** Empty for an exited process, and without /proc. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Ticks of a process and its descendants, exited ones included: PostgreSQL has one per connection. NaN without /proc.
 */
function ticksOf(pid: number, stats: ReadonlyMap<number, readonly number[]>): number {
  const stat = stats.get(pid);
  if (stat === undefined) return Number.NaN;
  const { user, system, endedUser, endedSystem } = fields;
  const own = [user, system, endedUser, endedSystem].map((field) => stat[field] ?? 0);
  const children = [...stats].flatMap(([child, found]) =>
    found[fields.parent] === pid ? [ticksOf(child, stats)] : [],
  );
  return [...own, ...children].reduce((sum, ticks) => sum + ticks, 0);
}

function readStats(): ReadonlyMap<number, readonly number[]> {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const stats = pids.map((pid): [number, number[]] => {
    const stat = readText(`/proc/${pid}/stat`);
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [Number(pid), values.map(Number)];
  });
  return new Map(stats);
}

/** Busy ticks of the machine's cores, including time taken by its host: all but idle and waiting for a disk. */
function machineTicks(): number {
  const [, user, nice, system, , , ...others] = readText('/proc/stat').split('\n', 1)[0]?.split(/ +/) ?? [];
  return [user, nice, system, ...others.slice(0, 3)].reduce((sum, ticks) => sum + Number(ticks), 0);
}

export interface Cpu {
  readonly used: readonly CpuUse[];
  /** Cores used by other programs, on average. */
  readonly othersBusy: number;
}

/** CPU of each process during `work`. */
export async function measureCpu<T>(
  processes: readonly NamedProcess[],
  work: () => Promise<T>,
): Promise<Cpu & { readonly result: T }> {
  const read = () => {
    const stats = readStats();
    return {
      at: performance.now(),
      each: processes.map(({ pid }) => ticksOf(pid, stats)),
      others: machineTicks() - ticksOf(process.pid, stats),
    };
  };
  const before = read();
  const result = await work();
  const after = read();
  const used = processes.map(({ name }, i) => ({
    name,
    seconds: ((after.each[i] ?? 0) - (before.each[i] ?? 0)) / ticksPerSecond,
  }));
  const seconds = (after.at - before.at) / 1000;
  return { result, used, othersBusy: (after.others - before.others) / ticksPerSecond / seconds };
}
