import { fork } from 'node:child_process';

interface Request {
  id: number;
  command: unknown;
}

interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

/** A child process of the benchmark that executes commands. */
export interface HelperProcess {
  /** Rejects if the process fails or exits. */
  ask: (command: unknown) => Promise<unknown>;
  stop: () => Promise<void>;
}

// Both ends of the channel are in this file.
function asRequest(message: unknown): Request {
  return message as Request;
}

function asReply(message: unknown): Reply {
  return message as Reply;
}

/** Starts `file` as a process, which ends with this one because its channel closes. */
export function startHelper(file: URL): HelperProcess {
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      for (const { reject } of waiting.values()) reject(new Error(`A process of the benchmark ended (code ${code}).`));
      resolve();
    });
  });
  child.on('message', (message) => {
    const { id, result, error } = asReply(message);
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve(result);
    else question?.reject(new Error(error));
  });
  return {
    ask: (command) => {
      const response = Promise.withResolvers<unknown>();
      const question: Request = { id: ++lastId, command };
      waiting.set(question.id, response);
      child.send(question);
      return response.promise;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The child's end: executes commands until the parent disconnects or exits. */
export function serveCommands(handle: (command: unknown) => Promise<unknown>): void {
  process.on('message', (message) => {
    const { id, command } = asRequest(message);
    handle(command).then(
      (result) => process.send?.({ id, result } satisfies Reply),
      (error: unknown) => process.send?.({ id, error: textOf(error) } satisfies Reply),
    );
  });
  process.once('disconnect', () => process.exit());
}
