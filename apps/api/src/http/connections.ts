import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const sweepMs = 50;

/**
 * When the service closes it takes no new connections and finishes the requests that have begun, in `graceMs` at most;
 * what takes longer is cut. Their answers say that the connection ends, so that no client sends another one into it.
 */
export function drainOnClose(app: FastifyInstance, graceMs: number): void {
  const underWay = new Set<ServerResponse>();
  let closing = false;
  app.addHook('onRequest', (_request, { raw }, done) => {
    // It came over a connection that was there already.
    if (closing) raw.setHeader('connection', 'close');
    underWay.add(raw);
    raw.once('close', () => underWay.delete(raw));
    done();
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const answer of underWay) if (!answer.headersSent) answer.setHeader('connection', 'close');
    // A connection whose answer had begun is kept alive after it, and nothing else would end it.
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs).unref();
    const cut = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
  });
}

const MAX_BYTES = 16 * 1024 ** 2;
const MAX_IDLE_MS = 2_000;

/**
 * A socket that is closed while its client still sends resets the connection, and most clients lose the response then.
 * A response to a request that is still coming in is sent at once and ended after a bounded rest of the request, which is
 * discarded; Node's request timeout bounds the time.
 */
export function lingerOnEarlyResponses(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply, payload: unknown) => {
    if (raw.complete || typeof payload !== 'string') return payload;
    reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload));
    return Readable.from(sendThenDrain(payload, raw));
  });
}

async function* sendThenDrain(payload: string, request: IncomingMessage): AsyncGenerator<string> {
  yield payload;
  await discardRest(request);
}

function discardRest(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const idle = setTimeout(resolve, MAX_IDLE_MS);
  let bytes = 0;
  // A decompressor that stopped in the middle has it paused.
  request.unpipe().on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) resolve();
    else idle.refresh();
  });
  request.resume().once('close', resolve);
  return promise.finally(() => clearTimeout(idle));
}
