import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../report/slope.ts';

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
