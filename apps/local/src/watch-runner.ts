import { hasProc, inspectProcess } from './inspect-process.ts';

const POLL_MS = hasProc ? 500 : 2_000;
const RUNNER = /\b(npm|npx|pnpm)\b|^sh -c /;

/** The script runners above this process, nearest first, each with the process it started. */
function findRunners(): { child: number; runner: number }[] {
  const chain: { child: number; runner: number }[] = [];
  for (let child = process.pid; ; ) {
    const runner = inspectProcess(child)?.parent ?? 0;
    if (runner <= 1 || !RUNNER.test(inspectProcess(runner)?.command ?? '')) return chain;
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
    if (chain.every(({ child, runner }) => inspectProcess(child)?.parent === runner)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}
