import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Worker } from 'node:worker_threads';

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<IncomingMessage['headers']>;
  readonly body: Buffer;
};

export type LoopbackServer = {
  readonly port: number;
  readonly origin: string;
  readonly connections: () => number;
  /** Resolves once there was a connection and all have closed. */
  readonly allClosed: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** An HTTP server on 127.0.0.1 that keeps its requests. */
export async function startHttp(
  respond: RequestListener,
): Promise<LoopbackServer & { readonly received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks) });
      respond(request, response);
    });
  });
  return { ...(await start(server)), received };
}

/** A TCP server on 127.0.0.1: `onRequest` runs once per chunk. */
export function startTcp(onRequest: (socket: Socket) => void): Promise<LoopbackServer> {
  return start(createServer((socket) => void socket.on('data', () => onRequest(socket))));
}

export function startTls(options: TlsOptions): Promise<LoopbackServer> {
  return start(createTlsServer(options).on('tlsClientError', () => undefined));
}

export type FullServer = {
  readonly port: number;
  /** Accepts and closes every connection from now on. Clients retry their SYN after a second. */
  readonly accept: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

const fullServer = `
  const { workerData: { host, gate }, parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => socket.destroy());
  server.listen({ port: 0, host, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(gate, 0, 0);
  });
`;

/** A TCP server with a full backlog: handshakes never complete. */
export async function startFull(host = '127.0.0.1'): Promise<FullServer> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(fullServer, { eval: true, workerData: { host, gate } });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  // A backlog of one holds two.
  const waiting = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(waiting.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const accept = (): void => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  return {
    port,
    accept,
    [Symbol.asyncDispose]: async () => {
      for (const socket of waiting) socket.destroy();
      accept();
      await worker.terminate();
    },
  };
}

async function start(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const done of waiting) done();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    allClosed: () =>
      connections > 0 && sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve)),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
