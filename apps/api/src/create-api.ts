import { type Core, createDenialLog, createRequestLog } from '@finhook/core';
import type { Logger, Metrics, Tracing } from '@finhook/runtime';
import Fastify, { type FastifyInstance } from 'fastify';
import { createAuthentication } from './auth/authentication.ts';
import { createRateLimits, type RateLimitOptions, type RateLimits } from './auth/rate-limits.ts';
import { registerSessionRoutes } from './auth/session-routes.ts';
import { createShowLink, type ShowLink } from './auth/sign-in-link.ts';
import { registerDocsRoutes } from './docs/docs-routes.ts';
import { registerTryRoutes } from './docs/try-routes.ts';
import { createUnroutedHandler, noteAllowedMethods } from './http/allowed-methods.ts';
import { createClientErrorHandler } from './http/client-error-handler.ts';
import { drainOnClose, lingerOnEarlyResponses } from './http/connections.ts';
import { allowFiles, builtDashboard, registerStaticRoutes } from './http/dashboard-files.ts';
import { createErrorReport, type ErrorReport } from './http/error-report.ts';
import { createErrorHandler, createRoutingErrorHandler } from './http/problem.ts';
import { leaveBodies } from './http/read-body.ts';
import { dropForwardedPorts, rejectEncodedPath } from './http/request.ts';
import { noteRequests } from './http/request-log.ts';
import { createNaming, logRequests, watchRequests } from './http/request-telemetry.ts';
import { securityHeaders } from './http/response-headers.ts';
import {
  createReadiness,
  type Health,
  registerEntryRoute,
  registerHealthRoutes,
  registerIconRoute,
} from './http/service-routes.ts';
import { flushRegularly } from './intervals.ts';
import { registerMcpRoutes } from './mcp/mcp-routes.ts';
import { once } from './once.ts';
import { createOperationTable } from './operations/operation-table.ts';
import { type OpsOptions, registerOpsRoutes } from './ops/register-ops-routes.ts';
import { registerDeviceLoginRoutes } from './rest/device-login-routes.ts';
import { createOpenApiDocument } from './rest/openapi/create-openapi-document.ts';
import { registerDocumentRoutes } from './rest/openapi/openapi-routes.ts';
import { type RestOptions, registerRestRoutes } from './rest/rest-routes.ts';
import { registerStreamRoutes } from './stream/stream-routes.ts';
import { registerTrpcRoutes } from './trpc/trpc-routes.ts';

const REST_PREFIX = '/api/v1';
const TRPC_PREFIX = '/trpc';
const MCP_PREFIX = '/mcp';
/** Process managers kill ten seconds after their signal. */
const CLOSE_GRACE_MS = 7_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** In ms. */
export interface ApiPace {
  /** Storing the last use of keys and sessions. */
  keyUseMs: number;
  /** Storing denials in the audit log, one row per key and code. */
  denialsMs: number;
  requestLogMs: number;
  /** Cache of keys and sessions; a revocation takes effect after it. Half a second by default. */
  credentialsMs?: number | undefined;
}

const usualPace: ApiPace = { keyUseMs: 5_000, denialsMs: 1_000, requestLogMs: 1_000 };

interface ApiOptions {
  core: Core;
  logger: Logger;
  pingQueue: () => Promise<void>;
  checkIntervalMs?: number;
  rateLimits: RateLimitOptions;
  bodyLimit: number;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  trustedProxies?: string[] | undefined;
  closeGraceMs?: number;
  /** Aborted when a stop begins, which may be before the port closes. */
  stopping?: AbortSignal | undefined;
  requestTimeoutMs?: number;
  pace?: Partial<ApiPace> | undefined;
  dashboardFolder?: string;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  ops?: OpsOptions | undefined;
  operations?: object;
}

export async function createApi(options: ApiOptions): Promise<FastifyInstance> {
  const { core, logger, bodyLimit, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const pace = { ...usualPace, ...options.pace };
  const report = createErrorReport(logger);
  const fail = createErrorHandler(report.failed);
  const newId = (): string => core.newId('req');
  const clientErrors = createClientErrorHandler({ newId, logger, headers: securityHeaders });
  const app = Fastify({
    logger: false,
    // Open connections are served while the service closes.
    return503OnClosing: false,
    genReqId: newId,
    trustProxy: options.trustedProxies ?? [],
    routerOptions: { maxParamLength: 5000 },
    frameworkErrors: createRoutingErrorHandler(fail),
    clientErrorHandler: clientErrors.handle,
    ...receiveTimeouts(requestTimeoutMs),
    bodyLimit,
  });
  dropForwardedPorts(app);
  leaveBodies(app);
  // Otherwise Fastify rejects QUERY requests without a Content-Type before 404 and 405.
  app.addHttpMethod('QUERY', { overrideExisting: true });
  lingerOnEarlyResponses(app);
  const isStopping = drainOnClose(app, options.closeGraceMs ?? CLOSE_GRACE_MS, options.stopping);
  const skipped = (message: string) => (error: unknown) => report.skipped(error, message);
  const denials = createDenialLog(core);
  flushRegularly(app, denials, pace.denialsMs, skipped('Denied requests were not stored in the audit log.'));

  const nameOf = createNaming(TRPC_PREFIX);
  watchRequests(app, { metrics: options.metrics, tracing: options.tracing, nameOf });
  logRequests(app, logger);
  watchErrors(app, report);
  const requestLog = createRequestLog(core);
  noteRequests(app, { log: requestLog, clock: core.clock, nameOf });
  flushRegularly(app, requestLog, pace.requestLogMs, skipped('Requests were not logged.'));
  clientErrors.watch(app);
  app.addHook('onRequest', async (request) => rejectEncodedPath(request));

  app.setErrorHandler(fail);
  const allowedMethods = noteAllowedMethods(app);
  app.setNotFoundHandler(createUnroutedHandler(allowedMethods, fail));

  const table = createOperationTable(denials, options.operations);
  const limits = createRateLimits(options.rateLimits);
  const authentication = createAuthentication({ core, limits, denials, logger, keptMs: pace.credentialsMs });
  flushRegularly(app, authentication, pace.keyUseMs, skipped('The last use of API keys and sessions was not stored.'));
  await registerOpsRoutes(app, { core, logger, ops: options.ops });
  const { identify, readCaller } = authentication;
  const calls = { table, identify, readCaller, limits, bodyLimit, onError: report.failed };
  await serveRest(app, { isStopping, checkStores: createReadiness(options) }, calls);
  await registerSessionRoutes(app, { core, limits, denials, ...authentication });
  await registerDeviceLoginRoutes(app, { core, limits, denials, prefix: REST_PREFIX, ...authentication });
  registerStreamRoutes(app, { core, logger, limits, ...authentication });
  servePages(app, options.dashboardFolder ?? builtDashboard, createShowLink({ core }));
  await app.register(async (trpc) => registerTrpcRoutes(trpc, calls), { prefix: TRPC_PREFIX });
  await app.register(async (mcp) => registerMcpRoutes(mcp, calls), { prefix: MCP_PREFIX });
  return app;
}

function watchErrors(app: FastifyInstance, report: ErrorReport): void {
  app.addHook('onResponse', async ({ caller }, { statusCode }) => {
    if (caller !== undefined && statusCode < 300) report.served();
  });
  app.addHook('onClose', async () => report.close());
}

function servePages(app: FastifyInstance, folder: string, showLink: ShowLink): void {
  allowFiles(app);
  registerEntryRoute(app);
  registerIconRoute(app);
  registerTryRoutes(app, folder);
  registerStaticRoutes(app, folder, showLink);
}

async function serveRest(
  app: FastifyInstance,
  health: Health,
  calls: RestOptions & { limits: RateLimits },
): Promise<void> {
  const operations = calls.table.map(({ operation }) => operation);
  // Takes a quarter of a second.
  const openApi = once(() => JSON.stringify(createOpenApiDocument(operations)));
  registerDocsRoutes(app, { operations, limits: calls.limits });
  registerHealthRoutes(app, health);
  await app.register(
    async (rest) => {
      registerEntryRoute(rest);
      registerHealthRoutes(rest, health);
      registerDocumentRoutes(rest, calls.limits, openApi);
      registerRestRoutes(rest, calls);
    },
    { prefix: REST_PREFIX },
  );
}

/** Node checks every 30 s by default. */
function receiveTimeouts(ms: number) {
  const http = { headersTimeout: ms, connectionsCheckingInterval: Math.ceil(ms / 6), requireHostHeader: false };
  return { requestTimeout: ms, http };
}
