import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../report/statistics.ts';

const everyMs = 250;

/** The resident memory of a process, in megabytes of a million bytes. */
function residentMemory(pid: number): number {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kibibytes) * 1024) / 1_000_000;
}

/** The most that each process had, looked at every quarter of a second for a time in ms or until something is done. */
export async function mostMemory(pids: readonly number[], during: number | Promise<unknown>): Promise<number[]> {
  const most = pids.map(() => 0);
  const over = Promise.resolve(typeof during === 'number' ? delay(during) : during).then(() => true);
  do {
    for (const [i, pid] of pids.entries()) most[i] = Math.max(most[i] ?? 0, residentMemory(pid));
  } while (!(await Promise.race([over, delay(everyMs, false)])));
  return most;
}

/** What each process had every so often until something is done. */
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

/** Of `/proc/<pid>/stat`, counted from the field behind the program's name; times in ticks, as Linux gives them. */
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
 * CPU seconds that a process and its children used so far, those that have ended too: PostgreSQL has one for each
 * connection. NaN where there is no /proc.
 */
export function cpuSeconds(pid: number): number {
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
