import type { PlannedRequest } from '@finhook/bank-files';
import type { Call, FileSummary, ReadOptions } from './bank-file-reader.ts';

/** A file that is read in a worker of its own. */
export interface FileWorker {
  read: (options: ReadOptions) => Promise<FileSummary>;
  request: (index: number, options: ReadOptions) => Promise<PlannedRequest>;
  close: () => void;
}

interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

const FAILED = 'This browser could not read the file. It may be too large: split it, or use another computer.';

function asSummary(value: unknown): FileSummary {
  return value as FileSummary;
}

function asRequest(value: unknown): PlannedRequest {
  return value as PlannedRequest;
}

/** Starts the worker with the first call, so that closing it and calling again works (React's strict mode does that). */
export function createFileWorker(file: Blob): FileWorker {
  let worker: Worker | undefined;
  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const fail = (): void => {
    for (const { reject } of waiting.values()) reject(new Error(FAILED));
    waiting.clear();
  };

  function start(): Worker {
    const started = new Worker(new URL('./bank-file.worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('error', fail);
    started.addEventListener('message', ({ data: { id, result, error } }: MessageEvent<Answer>) => {
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(FAILED, { cause: error }));
      waiting.delete(id);
    });
    return started;
  }

  function call(message: Call): Promise<unknown> {
    worker ??= start();
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++last, answer);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window and has none
    worker.postMessage({ ...message, id: last });
    return answer.promise;
  }

  return {
    read: async (options) => asSummary(await call({ kind: 'read', file, options })),
    request: async (index, options) => asRequest(await call({ kind: 'request', index, options })),
    close(): void {
      worker?.terminate();
      worker = undefined;
      fail();
    },
  };
}
