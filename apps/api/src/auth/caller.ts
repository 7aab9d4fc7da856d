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
    /** True if session cookies also authenticate writes at this route. They authenticate every read. */
    sessionsWrite?: boolean;
  }
  interface FastifyRequest {
    /** Set once the request has counted towards the rate limit. */
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

/** Authenticates a request. Throws 401 and 403; applies no rate limit. */
export type ReadCaller = (request: FastifyRequest) => Promise<Context>;

/**
 * Authenticates a request and counts it towards the rate limits. `operation` goes to the denial log; a batch counts as
 * `calls` requests.
 */
export type IdentifyCaller = (
  request: FastifyRequest,
  reply: FastifyReply,
  operation?: string,
  calls?: number,
) => Promise<Context>;

/** Authenticates by the Authorization header if there is one, otherwise by the session cookie where that is allowed. */
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

/**
 * The key of `Authorization: Bearer sk_…` (RFC 6750). Throws `missing_credentials` if the header is absent, repeated or
 * has another scheme. Keys in URLs are ignored, because URLs end up in logs.
 */
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

/** Authenticates a request and applies the rate limits. Throws 401 and 429; sets the limit headers. */
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

/** The caller that the `onRequest` hook of the route has identified. */
export function callerOf({ caller }: FastifyRequest): Context {
  if (!caller) throw new Error('The caller was not identified.');
  return caller;
}

/** Receives the JSON body of an identified caller, of whose account only so many are in transit at once. */
export function receiveBody(
  request: FastifyRequest,
  { receive }: Pick<RateLimits, 'receive'>,
  bodyLimit: number,
): Promise<JsonBody | undefined> {
  const { accountId } = callerOf(request);
  return receiveJson(request.raw, { receive: () => acquireCounted(request, () => receive(accountId)), bodyLimit });
}

/**
 * Acquires one of the account's in-flight slots after the body is read, so a slow upload holds none. Call the returned
 * function when the work has settled. The slot is released when the work and the response have both ended: work
 * continues after a client disconnects. A batch takes a slot for each of its calls. Throws `rate_limited`; such a
 * request does not count towards the rate limit.
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

/** Takes slots for a request; if `acquire` throws, the request does not count towards the rate limit. */
export function acquireCounted(request: FastifyRequest, acquire: () => () => void): () => void {
  try {
    return acquire();
  } catch (error) {
    throw uncount(request, error);
  }
}

/**
 * Takes a rejected request out of its windows. It returns in its turn like those beyond the rate limit, unless the error
 * has a time of its own. A client that has gone takes no place.
 */
function uncount({ counted, raw }: FastifyRequest, error: unknown): unknown {
  if (!(error instanceof RateLimited) || counted === undefined) return error;
  counted.giveBack();
  if (error.retryAfter !== undefined || raw.socket.destroyed) return error;
  return new RateLimited(error.message, counted.takePlace(), error.headers);
}

/** Counts a request of a key and sets the rate limit's headers. Throws `rate_limited`. */
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
