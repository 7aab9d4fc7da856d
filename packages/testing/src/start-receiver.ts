import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

type Respond = (request: ReceivedRequest, count: number) => ReceiverResponse;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In the order of their complete bodies. */
  readonly requests: readonly ReceivedRequest[];
  /** Responses for one path (without query), in turn; the last one repeats. */
  script(path: string, ...responses: readonly [ReceiverResponse, ...ReceiverResponse[]]): void;
  /** Resolves when `predicate` is true for the requests so far. Rejects after `timeoutMs` (default 5000). */
  waitFor(
    predicate: (requests: readonly ReceivedRequest[]) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<readonly ReceivedRequest[]>;
  /** Responds to the held requests of one path (without query), or of all. Returns their number. */
  release(path?: string): number;
  clear(): void;
  close(): Promise<void>;
}

interface ReceiverOptions {
  /** Responds to paths without a script; `count` is the number of requests to the path, including this one. */
  readonly respond?: Respond;
  readonly port?: number;
}

/** An HTTP server on 127.0.0.1 that records requests and responds as scripted. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const scripts = createScripts(options.respond ?? (() => ({})));
  const closed = new AbortController();
  const waiting = new Set<() => void>();
  const gate = createGate();
  const server = createServer((message, reply) => {
    readRequest(message)
      .then((request) => {
        requests.push(request);
        for (const check of waiting) check();
        const response = scripts.responseTo(request);
        const respond = () => sendResponse(reply, response, closed.signal);
        return response.held === true ? gate.hold(request.path).then(respond) : respond();
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
    release: gate.release,
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
      const path = withoutQuery(request.path);
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const script = scripts.get(path);
      if (script === undefined) return respond(request, count);
      return script[Math.min(count, script.length) - 1] ?? script[0];
    },
  };
}

function createGate() {
  const held = new Set<{ readonly path: string; readonly open: () => void }>();
  return {
    hold: (path: string): Promise<void> => {
      const { promise, resolve: open } = Promise.withResolvers<void>();
      held.add({ path: withoutQuery(path), open });
      return promise;
    },
    release: (path?: string): number => {
      const released = [...held].filter((one) => path === undefined || one.path === path);
      for (const one of released) {
        held.delete(one);
        one.open();
      }
      return released.length;
    },
  };
}

const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? '';

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

export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, in the sender's case and order. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly receivedAt: Date;
}

export interface ReceiverResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Responds when the test calls `release`. */
  readonly held?: boolean;
  readonly delayMs?: number;
  readonly dripMs?: number;
  /** reset: resets the connection; hang: never responds. */
  readonly fault?: 'reset' | 'hang';
}

/** Ends without an error when the sender disconnects or the receiver closes. */
async function sendResponse(reply: ServerResponse, response: ReceiverResponse, closed: AbortSignal): Promise<void> {
  if (response.delayMs !== undefined) await delay(response.delayMs, undefined, { signal: closed });
  if (response.fault === 'hang') return;
  if (response.fault === 'reset') return void reply.socket?.resetAndDestroy();
  const body = Buffer.from(response.body ?? '');
  reply.writeHead(response.status ?? 200, { 'content-length': body.length, ...response.headers });
  if (response.dripMs === undefined) return void reply.end(body);
  reply.flushHeaders();
  for (const byte of body) {
    if (reply.destroyed) return;
    reply.write(Uint8Array.of(byte));
    await delay(response.dripMs, undefined, { signal: closed });
  }
  reply.end();
}

/** Listens on 127.0.0.1 and resolves with the port; 0 takes a free one. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('The server has no port.'));
    });
  });
}
