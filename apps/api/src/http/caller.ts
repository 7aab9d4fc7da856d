import type { IncomingMessage } from 'node:http';
import type { Authenticator, Context, Core, Principal } from '@finhook/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimited, type RateLimits } from '../limits/rate-limits.ts';
import { readBearer } from './bearer.ts';
import { toDomainError } from './problem.ts';

export interface CallerOptions {
  core: Core;
  authenticator: Authenticator;
  limits: RateLimits;
}

/** Finds out who a request comes from, counts it, and gives the context its verb runs in. */
export type IdentifyCaller = (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;

/** Authenticates a request and applies the rate limits. Throws 401 and 429 refusals; sets the limit headers. */
export function createCallerIdentification({ core, authenticator, limits }: CallerOptions): IdentifyCaller {
  return async (request, reply) => {
    const { ip } = request;
    const principal = await authenticate(request.raw, ip).catch(async (error: unknown) => {
      if (toDomainError(error).status === 401) await limits.failedAuth(ip);
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
      accountId: principal.accountId,
      actor: { type: 'api_key', id: principal.keyId, name: principal.keyName },
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
