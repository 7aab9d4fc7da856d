import type { IncomingMessage } from 'node:http';
import { type Authenticator, type Context, type Core, type DenialLog, KeyRefused, type Principal } from '@finhook/core';
import type { Logger } from '@finhook/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimited, type RateLimits } from '../limits/rate-limits.ts';
import { readBearer } from './bearer.ts';
import { toDomainError } from './problem.ts';
import type { RequestWatch } from './watch-requests.ts';

export interface CallerOptions {
  core: Core;
  authenticator: Authenticator;
  limits: RateLimits;
  denials: DenialLog;
  logger: Logger;
  watch: Pick<RequestWatch, 'traceparentOf'>;
}

/**
 * Finds out who a request comes from, counts it, and gives the context its verb runs in. `operation` is what was called,
 * for the log of refusals.
 */
export type IdentifyCaller = (request: FastifyRequest, reply: FastifyReply, operation?: string) => Promise<Context>;

/** Authenticates a request and applies the rate limits. Throws 401 and 429 refusals; sets the limit headers. */
export function createCallerIdentification(options: CallerOptions): IdentifyCaller {
  const { core, authenticator, limits, watch } = options;
  return async (request, reply, operation = request.url.split('?', 1)[0] ?? '') => {
    const { ip } = request;
    const principal = await authenticate(request.raw, ip).catch(async (error: unknown) => {
      // A key from a forbidden address counts as failed: its own quota must not be used up from there.
      if ([401, 403].includes(toDomainError(error).status)) await limits.failedAuth(ip);
      logRefusal(options, error, operation, { id: request.id, ip });
      throw error;
    });
    try {
      reply.headers(await limits.consume(principal.keyId));
    } catch (error) {
      if (error instanceof RateLimited) reply.headers(error.headers);
      throw error;
    }
    const leave = limits.enter(principal.accountId);
    reply.raw.once('close', leave);
    return {
      ...core,
      database: core.database.forAccount(principal.accountId, watch.traceparentOf(request)),
      accountId: principal.accountId,
      actor: principal.actor,
      keyId: principal.keyId,
      scope: principal.scope,
      access: principal.access,
      request: { id: request.id, ip },
    };
  };

  async function authenticate(message: IncomingMessage, ip: string): Promise<Principal> {
    return authenticator.authenticate(readBearer(message), ip);
  }
}

/** A refused key that exists is told to its account in the audit log; one that doesn't, to the operator. */
function logRefusal(
  { denials, logger }: CallerOptions,
  error: unknown,
  operation: string,
  request: { id: string; ip: string },
): void {
  if (error instanceof KeyRefused) denials.note({ holder: error.holder, code: error.code, operation, request });
  else if (toDomainError(error).status === 401) {
    logger.warn({ request_id: request.id, ip: request.ip, code: toDomainError(error).code }, 'refused authentication');
  }
}
