import {
  BankFileError,
  type PlannedRequest,
  ReadingWorker,
  ReadTimeout,
  type StartedWorker,
  type WorkerEvents,
} from '@finhook/bank-files';
import type { BankFileReader, FileSummary, ReadOptions } from './bank-file-reader.ts';

export interface FileWorker {
  read: (options: ReadOptions) => Promise<FileSummary>;
  request: (index: number, options: ReadOptions) => Promise<PlannedRequest>;
  close: () => void;
}

const FAILED = 'This browser could not read the file. It may be too large: split it, or use another computer.';

/** Starts the worker with the first call, so that closing it and calling again works (React's strict mode does that). */
export function createFileWorker(file: Blob): FileWorker {
  const worker = new ReadingWorker<BankFileReader>(startWorker);
  return {
    read: async (options) => worker.call('read', { file, options }).catch(explainFailure),
    request: async (index, options) => worker.call('request', { file, index, options }).catch(explainFailure),
    close: () => worker.close(new Error(FAILED)),
  };
}

function startWorker({ onMessage, onFailure }: WorkerEvents): StartedWorker {
  const started = new Worker(new URL('./bank-file.worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('error', ({ message }) => onFailure(new Error(message)));
  started.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window and has none
    post: (message) => started.postMessage(message),
    end: () => started.terminate(),
  };
}

function explainFailure(error: unknown): never {
  if (error instanceof BankFileError) throw error;
  if (!(error instanceof ReadTimeout)) throw new Error(FAILED, { cause: error });
  const message =
    `Reading the file took longer than ${error.seconds} s and was stopped. Split the file, ` +
    'or store it with finhook ingest, which can take longer with --read-timeout.';
  throw new Error(message, { cause: error });
}
