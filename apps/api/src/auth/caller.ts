import type { IncomingMessage } from 'node:http';
import { type Authenticator, type Context, type Core, callerContext, DomainError } from '@finhook/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type JsonBody, receiveJson } from '../http/read-body.ts';
import { pathOf } from '../http/request.ts';
import { checkCell } from './cell.ts';
import { isRead } from './csrf.ts';
import type { LogFailedAuth } from './failed-auth-log.ts';
import { type CountedRequest, type LimitHeaders, RateLimited, type RateLimits } from './rate-limits.ts';
import { type ReadSession, readSessionCookie } from './session-caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Session cookies also authenticate writes. */
    sessionsWrite?: boolean;
  }
  interface FastifyRequest {
    counted?: CountedRequest;
  }
}

interface CallerReaderOptions {
  core: Core;
  authenticator: Authenticator;
  readSession: ReadSession;
}

interface IdentificationOptions {
  limits: RateLimits;
  logFailedAuth: LogFailedAuth;
}

/** Authenticates a request. Throws 401 and 403. */
export type ReadCaller = (request: FastifyRequest) => Promise<Context>;

/** `operation` is for the denial log. Counts `calls` towards the rate limits. Throws 401, 403 and 429. */
export type IdentifyCaller = (
  request: FastifyRequest,
  reply: FastifyReply,
  operation?: string,
  calls?: number,
) => Promise<Context>;

export function createCallerReader({ core, authenticator, readSession }: CallerReaderOptions): ReadCaller {
  return async (request) => {
    if (usesSession(request)) return readSession(request);
    const { id, ip, raw } = request;
    const key = readBearer(raw);
    checkCell(core, request, key);
    const principal = await authenticator.authenticate(key, ip);
    request.caller = callerContext(core, principal, { request: { id, ip }, traceparent: request.span?.traceparent });
    return request.caller;
  };
}

function usesSession(request: FastifyRequest): boolean {
  if (request.raw.headersDistinct['authorization'] !== undefined) return false;
  const isOpen = isRead(request) || request.routeOptions.config.sessionsWrite === true;
  return isOpen && readSessionCookie(request.raw) !== undefined;
}

function missing(detail: string): DomainError {
  return new DomainError('missing_credentials', { detail });
}

/** The key of `Authorization: Bearer sk_…` (RFC 6750). Keys in URLs are ignored, because URLs are logged. */
function readBearer(request: IncomingMessage): string {
  const sent = request.headersDistinct['authorization'] ?? [];
  const [header] = sent;
  if (sent.length > 1) throw missing('Send one Authorization header.');
  if (header === undefined || header.trim() === '') {
    throw missing('Send the API key in the header: Authorization: Bearer sk_…');
  }
  const match = /^Bearer +([^\s,]+)$/i.exec(header.trim());
  if (!match?.[1]) throw missing('The Authorization header must be: Bearer sk_…');
  return match[1];
}

export function createCallerIdentification(
  readCaller: ReadCaller,
  { limits, logFailedAuth }: IdentificationOptions,
): IdentifyCaller {
  return async (request, reply, operation = pathOf(request), calls = 1) => {
    const context = await readCaller(request).catch(async (error: unknown) => {
      await logFailedAuth(error, operation, request);
      throw error;
    });
    await countRequest(limits, reply, context, calls);
    return context;
  };
}

export function callerOf({ caller }: FastifyRequest): Context {
  if (!caller) throw new Error('The caller was not identified.');
  return caller;
}

/** Receives the JSON body of an identified caller; undefined for an empty one. */
export function receiveBody(
  request: FastifyRequest,
  { receive }: Pick<RateLimits, 'receive'>,
  bodyLimit: number,
): Promise<JsonBody | undefined> {
  const { accountId } = callerOf(request);
  return receiveJson(request.raw, { receive: () => acquireCounted(request, () => receive(accountId)), bodyLimit });
}

/**
 * Throws `rate_limited`. Call the returned function after the work: slots are released once the response has ended too.
 */
export async function acquireUntilClosed(
  { acquire }: Pick<RateLimits, 'acquire'>,
  accountId: string,
  { request, raw }: FastifyReply,
  calls = 1,
): Promise<() => void> {
  const release = await acquire(accountId, raw, calls).catch((error: unknown) => {
    throw uncount(request, error);
  });
  return () => {
    if (raw.closed) release();
    else raw.once('close', release);
  };
}

/** Acquires a slot. A request without one does not count towards the rate limit. */
export function acquireCounted(request: FastifyRequest, acquire: () => () => void): () => void {
  try {
    return acquire();
  } catch (error) {
    throw uncount(request, error);
  }
}

/**
 * Removes a rejected request from its rate limits. Its Retry-After is that of a request beyond the limit, unless the
 * error has its own.
 */
function uncount({ counted, raw }: FastifyRequest, error: unknown): unknown {
  if (!(error instanceof RateLimited) || counted === undefined) return error;
  counted.refund();
  if (error.retryAfter !== undefined || raw.socket.destroyed) return error;
  return new RateLimited(error.message, counted.nextRetry(), error.headers);
}

export async function countRequest(
  limits: Pick<RateLimits, 'consume'>,
  reply: FastifyReply,
  caller: Pick<Context, 'keyId' | 'accountId'>,
  calls = 1,
): Promise<void> {
  const counted = limits.consume(caller, calls);
  await setLimitHeaders(
    reply,
    counted.then(({ headers }) => headers),
  );
  reply.request.counted = await counted;
}

export async function setLimitHeaders(reply: FastifyReply, counted: Promise<LimitHeaders>): Promise<void> {
  try {
    reply.headers(await counted);
  } catch (error) {
    if (error instanceof RateLimited) reply.headers(error.headers);
    throw error;
  }
}
