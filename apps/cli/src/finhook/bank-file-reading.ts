import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MAX_BYTES, READ_TIMEOUT_MS, ReadingWorker, type StartedWorker, type WorkerEvents } from '@finhook/bank-files';
import { reasonOf } from '../reason-of.ts';
import type { BankFileFunctions } from './bank-file.worker.ts';
import { usageFailure } from './failure.ts';
import type { Session } from './session.ts';

const MAX_SECONDS = 86_400;

/** The bytes of a file, or of stdin for `-`. The signal ends a wait for stdin. */
export async function readBytes(path: string, { input, signal }: Session): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    const source = path === '-' ? input.stream : createReadStream(path);
    const end = (): unknown => source.destroy();
    signal.addEventListener('abort', end);
    try {
      for await (const part of source) {
        parts.push(asBuffer(part));
        size += parts.at(-1)?.length ?? 0;
        if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes. Split it`);
      }
    } finally {
      signal.removeEventListener('abort', end);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw usageFailure(`${path} can't be read: ${reasonOf(error)}`);
  }
  signal.throwIfAborted();
  return new Uint8Array(Buffer.concat(parts));
}

function asBuffer(part: unknown): Buffer {
  return part as Buffer;
}

export type Reading = ReadingWorker<BankFileFunctions>;

export async function withReading<T>(
  seconds: number | undefined,
  { signal }: Session,
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  if (seconds !== undefined && !(seconds > 0 && seconds <= MAX_SECONDS))
    throw usageFailure(`--read-timeout is not a number of seconds up to ${MAX_SECONDS}.`);
  const reading: Reading = new ReadingWorker(startThread, seconds === undefined ? READ_TIMEOUT_MS : seconds * 1000);
  const end = (): void => reading.close(asError(signal.reason));
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    return await work(reading);
  } finally {
    signal.removeEventListener('abort', end);
    reading.close(new Error('The file is no longer read.'));
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** The worker's file is in the same folder, also in the package, where both are JavaScript. */
function startThread({ onMessage, onFailure }: WorkerEvents): StartedWorker {
  const file = new URL(`./bank-file.worker${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(file);
  thread.on('message', onMessage);
  thread.on('error', onFailure);
  thread.on('exit', (code) => onFailure(new Error(`The process that reads the file ended with ${code}.`)));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has none
    post: (message) => thread.postMessage(message),
    end: (isIdle) => {
      // Terminating a thread inside Node's own code is unsafe, so an idle one ends by itself.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
      if (isIdle) thread.postMessage(null);
      else void thread.terminate();
    },
  };
}
