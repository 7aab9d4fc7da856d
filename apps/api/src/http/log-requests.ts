import type { Context } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.ts';
import { setHeaders } from './response-headers.ts';
import type { RequestWatch } from './watch-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that the request acts as, once it is authenticated. */
    caller?: Pick<Context, 'accountId' | 'keyId'>;
  }
}

/** Sets the headers of every answer, and logs each request when its answer has ended. */
export function logRequests(app: FastifyInstance, logger: Logger, watch: RequestWatch): void {
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(request, reply);
    // The framework tells of answers that ended; one that was cut off, by either side, is told here.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      logger[levelOf(request)]({ ...outlineOf(request, reply, watch), cut_off: true }, 'request');
    });
  });
  app.addHook('onResponse', async (request, reply) =>
    logger[levelOf(request)](outlineOf(request, reply, watch), 'request'),
  );
}

function levelOf(request: FastifyRequest): 'debug' | 'info' {
  return request.routeOptions.config.quiet === true ? 'debug' : 'info';
}

/** What the log says of every request. */
function outlineOf(request: FastifyRequest, reply: FastifyReply, watch: RequestWatch): Record<string, unknown> {
  return {
    request_id: request.id,
    method: request.method,
    path: pathOf(request),
    account_id: request.caller?.accountId,
    key_id: request.caller?.keyId,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    trace_id: watch.traceIdOf(request),
  };
}
