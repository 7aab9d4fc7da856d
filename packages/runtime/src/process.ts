import { setFlagsFromString } from 'node:v8';
import { databaseAddress } from './env-fields.ts';
import type { Logger } from './logger.ts';
import { serviceVersion } from './metrics.ts';

interface RunOptions {
  /** A signal aborts `signal`. After one during the start, the application stops when this resolves or rejects. */
  readonly start: (signal: AbortSignal) => Promise<AsyncDisposable>;
  readonly logger: Logger;
  readonly deadlineMs?: number;
  /** Prints the reason of a forced exit for a person, instead of the log line. */
  readonly say?: (sentence: string) => void;
}

/**
 * Runs until SIGINT, SIGTERM or SIGHUP, disposes the application and exits with 0. Exits with 1 after a failed start,
 * an uncaught error, a second SIGINT or SIGTERM, and a disposal past its deadline.
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
    // A closing terminal and its shell each send SIGHUP.
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
    setTimeout(late, deadlineMs).unref();
  });
  // Pending promises don't keep Node running.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    await using _app = await options.start(stopping.signal).catch((err: unknown) => {
      if (!stopping.signal.aborted) throw err;
      logger.debug({ err }, 'the start was interrupted');
      return undefined;
    });
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

/** True for errors whose message names the action to take and needs no stack; `more` adds names. */
export function isExpected(err: unknown, more: readonly string[] = []): err is Error {
  return err instanceof Error && [...databaseErrors, ...more].includes(err.name);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/**
 * Collects garbage when V8's heap has grown by half instead of by three times: a third less memory under load for a few
 * percent of CPU.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

/** Fields of the log line of a started process. `database` is `host:port/name`. */
export function startLine({ databaseUrl, migration }: { databaseUrl: string; migration: string }) {
  return { version: serviceVersion(), database: databaseAddress(databaseUrl), migration };
}
