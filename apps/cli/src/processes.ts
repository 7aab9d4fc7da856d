import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export const hasProc = existsSync('/proc/self/stat');

interface RunningProcess {
  parent: number;
  command: string;
  /** Start time by the system, to detect a later process with the same id. */
  started: string;
}

/** Undefined for an exited process, including zombies. */
export function inspectProcess(pid: number): RunningProcess | undefined {
  try {
    return hasProc ? readProc(pid) : askPs(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): RunningProcess | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the name in parentheses, may contain anything.
  const [state, parent, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z') return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  // Field 22 of proc(5): clock ticks since boot.
  return { parent: Number(parent), command, started: others[17] ?? '' };
}

function askPs(pid: number): RunningProcess {
  const fields = ['-o', 'ppid=', '-o', 'lstart=', '-o', 'args='];
  // The same output for every locale and time zone.
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  const line = execFileSync('ps', [...fields, '-p', String(pid)], { encoding: 'utf8', env }).trim();
  const [parent = '', ...others] = line.split(/\s+/);
  return { parent: Number(parent), started: others.slice(0, 5).join(' '), command: others.slice(5).join(' ') };
}

const POLL_MS = hasProc ? 500 : 2_000;
const RUNNER = /\b(npm|npx|pnpm)\b|^sh -c /;

function findRunners(): { child: number; runner: number }[] {
  const chain: { child: number; runner: number }[] = [];
  for (let child = process.pid; ; ) {
    const runner = inspectProcess(child)?.parent ?? 0;
    if (runner <= 1 || !RUNNER.test(inspectProcess(runner)?.command ?? '')) return chain;
    chain.push({ child, runner });
    child = runner;
  }
}

/** Stops this process when the script runner above it has exited: runners (npx, pnpm) don't forward SIGTERM. */
export function watchRunner(): void {
  const chain = findRunners();
  if (chain.length === 0) return;
  const timer = setInterval(() => {
    if (chain.every(({ child, runner }) => inspectProcess(child)?.parent === runner)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}
