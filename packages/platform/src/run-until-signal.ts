import type { Logger } from './create-logger.ts';

interface RunOptions {
  /** Builds the application. A signal that comes meanwhile aborts `signal`, and is obeyed once this settles. */
  readonly start: (signal: AbortSignal) => Promise<AsyncDisposable>;
  readonly logger: Logger;
  /** How long disposing may take before the process is ended by force, in ms. Default 10 000. */
  readonly deadlineMs?: number;
  /** Stop too when the parent process goes away: its IPC channel closes, or else the pipe on standard input ends. */
  readonly stopWithParent?: boolean;
}

/**
 * Runs an application until SIGINT, SIGTERM or SIGHUP, then disposes it once and lets the process end by itself (exit
 * code 0). A second SIGINT or SIGTERM, or a disposal past its deadline, ends the process at once with code 1. An
 * unhandled error, rejection or a failed start is logged and ends with code 1.
 */
export async function runUntilSignal(options: RunOptions): Promise<void> {
  const { logger } = options;
  const stopping = new AbortController();
  const fail = (err: unknown, message: string) => {
    logger.error(err === undefined ? {} : { err }, message);
    process.exitCode = 1;
    stopping.abort(message);
  };
  const onSignal = (name: string) => {
    // A terminal that closes tells so more than once, the shell in it as well: that is nobody's impatience.
    if (stopping.signal.aborted && name === 'SIGHUP') return;
    if (stopping.signal.aborted) forceExit(logger, `${name} again: ending at once`);
    logger.info({ signal: name }, 'stopping');
    stopping.abort(name);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  process.on('uncaughtException', (err) => fail(err, 'uncaught error'));
  process.on('unhandledRejection', (err) => fail(err, 'unhandled rejection'));
  const release =
    options.stopWithParent === true ? watchParent(() => stopping.abort('the parent is gone')) : () => undefined;
  stopping.signal.addEventListener('abort', () => {
    const deadlineMs = options.deadlineMs ?? 10_000;
    const late = () => forceExit(logger, `not stopped after ${deadlineMs} ms: ending by force`);
    // Without unref this timer alone would keep a cleanly stopped process alive.
    setTimeout(late, deadlineMs).unref();
  });
  // Promises don't keep Node running, and an application may wait on nothing else for a while.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    await using _app = await options.start(stopping.signal);
    await aborted(stopping.signal);
  } catch (err) {
    if (isExpected(err)) fail(undefined, err.message);
    else fail(err, 'failed');
  }
  clearInterval(alive);
  release();
  logger.info({}, 'stopped');
}

const databaseErrors = ['OldServerError', 'NotMigratedError', 'RestoredIdsError'];

/** Whether an operator mends it by what the message says, which a stack would hide; `more` names such errors of a program. */
export function isExpected(err: unknown, more: readonly string[] = []): err is Error {
  return err instanceof Error && [...databaseErrors, ...more].includes(err.name);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/** Calls `gone` when the parent ends; the function returned lets go of the channel, which would keep us alive. */
function watchParent(gone: () => void): () => void {
  if (process.connected) {
    process.once('disconnect', gone);
    return () => {
      process.removeListener('disconnect', gone);
      if (process.connected) process.disconnect();
    };
  }
  process.stdin.once('end', gone).once('error', gone).resume();
  return () => void process.stdin.destroy();
}

function forceExit(logger: Logger, message: string): never {
  logger.error({}, message);
  process.exit(1);
}
