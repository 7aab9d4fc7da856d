import { setFlagsFromString } from 'node:v8';
import type { Logger } from './logger.ts';

interface RunOptions {
  /** Starts the application. A signal received meanwhile aborts `signal`; the application stops when this settles. */
  readonly start: (signal: AbortSignal) => Promise<AsyncDisposable>;
  readonly logger: Logger;
  /** Milliseconds for disposal, after which the process exits. Default 10 000. */
  readonly deadlineMs?: number;
  /** Prints the reason of a forced end for a person, instead of the log line. */
  readonly say?: (sentence: string) => void;
}

/**
 * Runs an application until SIGINT, SIGTERM or SIGHUP, then disposes it once; the process exits with code 0. A second
 * SIGINT or SIGTERM, or a disposal past its deadline, exits at once with code 1. A failed start, an uncaught error or an
 * unhandled rejection is logged and exits with code 1.
 */
export async function runUntilSignal(options: RunOptions): Promise<void> {
  const { logger, say = (sentence) => logger.error({}, sentence) } = options;
  const stopping = new AbortController();
  const fail = (err: unknown, message: string) => {
    logger.error(err === undefined ? {} : { err }, message);
    process.exitCode = 1;
    stopping.abort(message);
  };
  const forceExit = (sentence: string): never => {
    say(sentence);
    process.exit(1);
  };
  const onSignal = (name: string) => {
    // A closing terminal sends SIGHUP more than once, and so does its shell.
    if (stopping.signal.aborted && name === 'SIGHUP') return;
    if (stopping.signal.aborted) forceExit(`${name} again: ending at once`);
    logger.info({ signal: name }, 'stopping');
    stopping.abort(name);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  process.on('uncaughtException', (err) => fail(err, 'uncaught error'));
  process.on('unhandledRejection', (err) => fail(err, 'unhandled rejection'));
  stopping.signal.addEventListener('abort', () => {
    const deadlineMs = options.deadlineMs ?? 10_000;
    const late = () => forceExit(`not stopped after ${deadlineMs} ms: ending by force`);
    // Without unref this timer would keep a stopped process alive.
    setTimeout(late, deadlineMs).unref();
  });
  // Keeps Node running: pending promises don't.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    await using _app = await options.start(stopping.signal);
    await aborted(stopping.signal);
  } catch (err) {
    if (isExpected(err)) fail(undefined, err.message);
    else fail(err, 'failed');
  }
  clearInterval(alive);
  logger.info({}, 'stopped');
}

const databaseErrors = [
  'ServerVersionError',
  'NotMigratedError',
  'RestoredError',
  'SecretsKeyError',
  'MissingRolesError',
];

/** True for errors whose message says what the operator can do and needs no stack; `more` adds names of such errors. */
export function isExpected(err: unknown, more: readonly string[] = []): err is Error {
  return err instanceof Error && [...databaseErrors, ...more].includes(err.name);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/**
 * Starts a full garbage collection when V8's heap has grown by half instead of by three times: a third less memory under
 * load for a few percent of CPU. The size of the young generation can't be set at run time; the container image sets it.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
