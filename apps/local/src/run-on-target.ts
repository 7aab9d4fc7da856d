import { findOrStart, type LocalTarget } from './find-or-start.ts';
import { exitWithMessage } from './local-error.ts';

/** Resolves with true on success. `ending` is disposed at the end, also after a signal. */
type Work = (target: LocalTarget, ending: AsyncDisposableStack) => Promise<boolean>;

/**
 * Runs the program `name` on the running service, or on one that it starts, and exits with 0 on success. SIGINT and SIGTERM
 * dispose `ending` first; the same signal again exits at once.
 */
export async function runOnTarget(name: string, work: Work): Promise<void> {
  const ending = new AsyncDisposableStack();
  const stopping = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<false>();
  stopping.signal.addEventListener('abort', () => resolve(false));
  process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
  try {
    const target = await findOrStart(name, ending);
    const good = !stopping.signal.aborted && (await Promise.race([work(target, ending), stopped]));
    process.exitCode = good ? 0 : 1;
  } catch (error) {
    await ending.disposeAsync();
    exitWithMessage(error);
  }
  await ending.disposeAsync();
  // Requests that were aborted may keep the process alive.
  if (stopping.signal.aborted) process.exit();
}
