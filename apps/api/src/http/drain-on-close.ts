import type { ServerResponse } from 'node:http';
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
