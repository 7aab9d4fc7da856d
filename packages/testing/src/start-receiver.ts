import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';
import { type ReceivedRequest, type ReceiverResponse, sendResponse } from './receiver-response.ts';

type Respond = (request: ReceivedRequest, count: number) => ReceiverResponse;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Requests so far, in the order in which their bodies were complete. */
  readonly requests: readonly ReceivedRequest[];
  /** Responses for one path (without query), in turn; the last one repeats. */
  script(path: string, ...responses: readonly [ReceiverResponse, ...ReceiverResponse[]]): void;
  /** Resolves as soon as `predicate` holds for the requests so far. Rejects after `timeoutMs` (default 5000). */
  waitFor(
    predicate: (requests: readonly ReceivedRequest[]) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<readonly ReceivedRequest[]>;
  clear(): void;
  close(): Promise<void>;
}

interface ReceiverOptions {
  /** Responds to paths without a script; `count` is the number of requests to the path, including this one. */
  readonly respond?: Respond;
  readonly port?: number;
}

/** Starts a real HTTP server on 127.0.0.1 that records every request and responds as scripted. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const scripts = createScripts(options.respond ?? (() => ({})));
  const closed = new AbortController();
  const waiting = new Set<() => void>();
  const server = createServer((message, reply) => {
    readRequest(message)
      .then((request) => {
        requests.push(request);
        for (const check of waiting) check();
        return sendResponse(reply, scripts.responseTo(request), closed.signal);
      })
      .catch(() => reply.destroy());
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    script: scripts.set,
    waitFor: (predicate, { timeoutMs = 5_000 } = {}) => waitFor(requests, waiting, predicate, timeoutMs),
    clear: () => {
      requests.length = 0;
      scripts.restart();
    },
    close: () => {
      closed.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function createScripts(respond: Respond) {
  const scripts = new Map<string, readonly [ReceiverResponse, ...ReceiverResponse[]]>();
  const counts = new Map<string, number>();
  return {
    set: (path: string, ...responses: readonly [ReceiverResponse, ...ReceiverResponse[]]) => {
      scripts.set(path, responses);
      counts.delete(path);
    },
    restart: () => counts.clear(),
    responseTo: (request: ReceivedRequest): ReceiverResponse => {
      const path = request.path.split('?', 1)[0] ?? '';
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const script = scripts.get(path);
      if (script === undefined) return respond(request, count);
      return script[Math.min(count, script.length) - 1] ?? script[0];
    },
  };
}

async function readRequest(message: IncomingMessage): Promise<ReceivedRequest> {
  const body = await buffer(message);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    rawHeaders: message.rawHeaders,
    body,
    receivedAt: new Date(),
  };
}

function waitFor(
  requests: readonly ReceivedRequest[],
  waiting: Set<() => void>,
  predicate: (requests: readonly ReceivedRequest[]) => boolean,
  timeoutMs: number,
): Promise<readonly ReceivedRequest[]> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      waiting.delete(check);
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`The receiver waited ${timeoutMs} ms in vain; it has ${requests.length} requests.`));
    }, timeoutMs);
    const check = () => {
      if (!predicate(requests)) return;
      stop();
      resolve(requests);
    };
    waiting.add(check);
    check();
  });
}
