import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const sweepMs = 50;
/** Requests in flight get this after the close, also if the stop began long before. */
const leastGraceMs = 1_000;

/**
 * Responses end their connections from the abort of `stopping` on, or from the close on. Requests in flight get `graceMs`
 * from then to finish. Returns whether the stop has begun.
 */
export function drainOnClose(app: FastifyInstance, graceMs: number, stopping?: AbortSignal): () => boolean {
  const inFlight = new Set<ServerResponse>();
  let beganAt: number | undefined;
  const begin = (): number => {
    for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
    return (beganAt ??= performance.now());
  };
  if (stopping?.aborted) begin();
  stopping?.addEventListener('abort', begin);
  app.addHook('onRequest', (_request, { raw }, done) => {
    if (beganAt !== undefined) raw.setHeader('connection', 'close');
    inFlight.add(raw);
    raw.once('close', () => inFlight.delete(raw));
    done();
  });
  app.addHook('preClose', async () => {
    const graceLeftMs = begin() + graceMs - performance.now();
    // Nothing else closes connections whose response had begun.
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs).unref();
    const cut = setTimeout(
      () => app.server.closeAllConnections(),
      Math.max(graceLeftMs, Math.min(graceMs, leastGraceMs)),
    );
    cut.unref();
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
  });
  return () => beganAt !== undefined;
}

const MAX_BYTES = 16 * 1024 ** 2;
const MAX_IDLE_MS = 2_000;

/** Most clients lose the response if the socket closes during their upload, so the rest is read, up to a limit. */
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
  // A stopped decompressor leaves the request paused.
  request.unpipe().on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) resolve();
    else idle.refresh();
  });
  request.resume().once('close', resolve);
  return promise.finally(() => clearTimeout(idle));
}
