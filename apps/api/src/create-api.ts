import { type Core, createDenialLog, DomainError, shorten } from '@finhook/core';
import type { Logger, Metrics, Tracing } from '@finhook/platform';
import type { TRPCError } from '@trpc/server';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createOpenLink } from './dashboard/open-link.ts';
import { registerSessionRoutes } from './dashboard/session-routes.ts';
import { builtDashboard, registerStaticRoutes } from './dashboard/static-routes.ts';
import { registerStreamRoutes } from './dashboard/stream-routes.ts';
import { noteAllowedMethods } from './http/allowed-methods.ts';
import { createCallers } from './http/create-callers.ts';
import { drainOnClose } from './http/drain-on-close.ts';
import { dropForwardedPorts } from './http/drop-forwarded-ports.ts';
import { registerHealthRoutes } from './http/health-routes.ts';
import { pathOf } from './http/path-of.ts';
import { ReplayedProblem, toDomainError, toProblem } from './http/problem.ts';
import { leaveBodies } from './http/read-body.ts';
import { createUnreadableRefusals } from './http/refuse-unreadable.ts';
import { type RequestWatch, watchRequests } from './http/watch-requests.ts';
import { createRateLimits, type RateLimitOptions } from './limits/rate-limits.ts';
import { createOpenApiDocument } from './openapi/create-openapi-document.ts';
import { createOperationTable } from './operations/operation-table.ts';
import { type OpsOptions, registerOpsRoutes } from './ops/register-ops-routes.ts';
import { registerRestRoutes } from './rest/rest-routes.ts';
import { createRouter } from './trpc/router.ts';
import { refusalOf } from './trpc/trpc-error.ts';
import { registerTrpcRoutes } from './trpc/trpc-routes.ts';

const REST_PREFIX = '/api/v1';
const TRPC_PREFIX = '/trpc';
const API_VERSION = '1.0';
const FLUSH_KEY_USE_MS = 5_000;
const FLUSH_DENIALS_MS = 1_000;
/** A process is ended by force ten seconds after its signal. */
const CLOSE_GRACE_MS = 7_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-api-version': API_VERSION,
};

export interface ApiOptions {
  core: Core;
  logger: Logger;
  pingQueue: () => Promise<void>;
  rateLimits: RateLimitOptions;
  /** Bytes a body may have after decompression. */
  bodyLimit: number;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. */
  trustedProxies?: string[] | undefined;
  /** How long requests under way have to finish when the service closes, in ms. */
  closeGraceMs?: number;
  /** How long a request may take to come in, from its first byte to its last, in ms. */
  requestTimeoutMs?: number;
  /** The folder of the built dashboard, when it is not the usual one. */
  dashboardFolder?: string;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** The operators' console; there is none without it. */
  ops?: OpsOptions | undefined;
}

/** Builds the HTTP application: REST, tRPC, OpenAPI and health. The caller listens and closes. */
export async function createApi(options: ApiOptions): Promise<FastifyInstance> {
  const { core, logger, bodyLimit, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const fail = createErrorHandler(logger);
  const newId = (): string => core.newId('req');
  const unreadable = createUnreadableRefusals({ newId, logger, headers: securityHeaders });
  const app = Fastify({
    logger: false,
    // A request that comes in over an open connection while the service closes is answered as any other.
    return503OnClosing: false,
    genReqId: newId,
    trustProxy: options.trustedProxies ?? [],
    routerOptions: { maxParamLength: 5000 },
    frameworkErrors: createRoutingErrorHandler(fail),
    clientErrorHandler: unreadable.refuse,
    ...timeToComeIn(requestTimeoutMs),
    bodyLimit,
  });
  dropForwardedPorts(app);
  leaveBodies(app);
  drainOnClose(app, options.closeGraceMs ?? CLOSE_GRACE_MS);
  const denials = createDenialLog(core);
  flushRegularly(app, denials, FLUSH_DENIALS_MS, (error) =>
    logger.warn({ err: error }, 'Refused requests were not stored in the audit log.'),
  );

  const watch = watchRequests(app, { metrics: options.metrics, tracing: options.tracing, trpcPrefix: TRPC_PREFIX });
  logRequests(app, logger, watch);
  unreadable.watch(app);

  app.setErrorHandler(fail);
  const allowedMethods = noteAllowedMethods(app);
  app.setNotFoundHandler((request, reply) => fail(refuseUnknown(request, reply, allowedMethods), request, reply));

  const table = createOperationTable(denials);
  const limits = createRateLimits(options.rateLimits);
  const callers = createCallers({ core, limits, denials, logger, watch });
  const { identify, readCaller } = callers;
  flushRegularly(app, callers, FLUSH_KEY_USE_MS, (error) =>
    logger.warn({ err: error }, 'The last use of API keys and sessions was not stored.'),
  );
  await registerOpsRoutes(app, { core, logger, limits, ops: options.ops });
  const health = { core, pingQueue: options.pingQueue };
  registerHealthRoutes(app, health);
  const document = JSON.stringify(createOpenApiDocument());
  await app.register(
    async (rest) => {
      registerHealthRoutes(rest, health);
      rest.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document));
      const onError = (error: unknown, requestId: string): void => logInternal(logger, error, requestId);
      registerRestRoutes(rest, { table, identify, limits, readCaller, bodyLimit, onError });
    },
    { prefix: REST_PREFIX },
  );
  await registerSessionRoutes(app, { core, limits, denials, ...callers });
  registerStreamRoutes(app, { core, logger, limits, ...callers });
  registerStaticRoutes(app, options.dashboardFolder ?? builtDashboard, createOpenLink({ core, ...callers }));
  await serveTrpc(app, { table, identify, limits, bodyLimit, logger });
  return app;
}

type Calls = Pick<Parameters<typeof registerRestRoutes>[1], 'table' | 'identify' | 'limits' | 'bodyLimit'>;

async function serveTrpc(app: FastifyInstance, { table, logger, ...calls }: Calls & { logger: Logger }): Promise<void> {
  const router = createRouter(table);
  const onError = (error: TRPCError, requestId: string): void => {
    if (!(error.cause instanceof ReplayedProblem)) logInternal(logger, refusalOf(error), requestId);
  };
  const register = async (trpc: FastifyInstance) =>
    registerTrpcRoutes(trpc, { router, prefix: TRPC_PREFIX, onError, ...calls });
  await app.register(register, { prefix: TRPC_PREFIX });
}

/** Node looks for late requests every so often, every 30 s if it is not told. */
function timeToComeIn(ms: number) {
  const http = { headersTimeout: ms, connectionsCheckingInterval: Math.ceil(ms / 6), requireHostHeader: false };
  return { requestTimeout: ms, http };
}

/** Sets the headers of every answer, and logs each request when its answer has ended. */
function logRequests(app: FastifyInstance, logger: Logger, watch: RequestWatch): void {
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

/** Writes what gathers in memory every so often, and once more at the end. */
function flushRegularly(
  app: FastifyInstance,
  source: { flush(): Promise<void> },
  everyMs: number,
  onError: (error: unknown) => void,
): void {
  const timer = setInterval(() => void source.flush().catch(onError), everyMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await source.flush().catch(onError);
  });
}

/** Headers of every answer. */
function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders).header('x-request-id', request.id);
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent)) reply.header('x-client-request-id', sent);
}

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** A path that cannot be decoded or routed reaches neither hook nor handler; it is as unknown as any other. */
function createRoutingErrorHandler(fail: ErrorHandler) {
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    setHeaders(request, reply);
    fail(new DomainError('not_found', { detail: 'There is nothing at this path.' }), request, reply);
  };
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
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    trace_id: watch.traceIdOf(request),
  };
}

/** 405 with `Allow` where the path exists with another method, else 404. */
function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  allowedMethods: (path: string) => string[],
): DomainError {
  const path = pathOf(request);
  const allowed = allowedMethods(path);
  if (allowed.length === 0)
    return new DomainError('not_found', { detail: `There is nothing at ${shorten(path, 200)}.` });
  reply.header('allow', allowed.join(', '));
  return new DomainError('method_not_allowed', {
    detail: `${request.method} is not allowed here; allowed are ${allowed.join(', ')}.`,
    extra: { allowed },
  });
}

function logInternal(logger: Logger, error: unknown, requestId: string): void {
  const refusal = toDomainError(error);
  if (refusal.status >= 500) logger.error({ request_id: requestId, err: refusal.cause ?? error }, refusal.code);
}

/** Fastify's own refusals, in this service's codes. */
function fromFastify(error: FastifyError | Error): unknown {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new DomainError('body_too_large', { detail: 'The body is too large.' });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new DomainError('unsupported_media_type', { detail: 'The body must be application/json.' });
  }
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 400) return new DomainError('malformed_body', { detail: 'The request cannot be read.', cause: error });
  return error;
}

/** The one place that turns an error into an answer. */
function createErrorHandler(logger: Logger): ErrorHandler {
  return (error, request, reply) => {
    if (error instanceof ReplayedProblem) {
      return reply
        .code(error.problem.status)
        .header('idempotency-replayed', 'true')
        .type('application/problem+json')
        .send(JSON.stringify(error.problem));
    }
    const refusal = toDomainError(error instanceof Error ? fromFastify(error) : error);
    logInternal(logger, refusal, request.id);
    if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
    if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
    // The rest of a body that was refused unread would be taken for the next request.
    if (refusal.status === 413) reply.header('connection', 'close');
    const problem = toProblem(refusal, { id: request.id, path: pathOf(request) });
    return reply.code(refusal.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}
