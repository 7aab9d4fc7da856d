import { findOrStart, type LocalTarget } from './find-or-start.ts';
import { exitWithMessage } from './local-error.ts';

/** Resolves with whether all went well; what it puts on `ending` is taken away when it is told to end before. */
type Work = (target: LocalTarget, ending: AsyncDisposableStack) => Promise<boolean>;

/**
 * Runs the program `name` on a service that runs, or on one of its own, and ends with 0 when all went well. At SIGINT or
 * SIGTERM what was made is taken away first; the same signal again ends the process at once.
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
  // What was cut off may still wait for an answer.
  if (stopping.signal.aborted) process.exit();
}
