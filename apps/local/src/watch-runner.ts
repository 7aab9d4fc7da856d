import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');
const POLL_MS = hasProc ? 500 : 2_000;
const RUNNER = /\b(npm|npx|pnpm)\b|^sh -c /;

interface Process {
  parent: number;
  command: string;
}

/** A process's parent and command line, or undefined when it is gone. */
function inspect(pid: number): Process | undefined {
  try {
    if (!hasProc) {
      const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
      const [parent = '', ...command] = line.split(/\s+/);
      return { parent: Number(parent), command: command.join(' ') };
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses and may hold anything; the parent is the second after it.
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return undefined;
  }
}

/** The script runners above this process, nearest first, each with the process it started. */
function findRunners(): { child: number; runner: number }[] {
  const chain: { child: number; runner: number }[] = [];
  for (let child = process.pid; ; ) {
    const runner = inspect(child)?.parent ?? 0;
    if (runner <= 1 || !RUNNER.test(inspect(runner)?.command ?? '')) return chain;
    chain.push({ child, runner });
    child = runner;
  }
}

/**
 * Stops this process when a script runner above it (npx, pnpm and their shells) is gone: a SIGTERM to a runner does not
 * reach what it started, and a service that nobody can see must not stay.
 */
export function watchRunner(): void {
  const chain = findRunners();
  if (chain.length === 0) return;
  const timer = setInterval(() => {
    if (chain.every(({ child, runner }) => inspect(child)?.parent === runner)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}
