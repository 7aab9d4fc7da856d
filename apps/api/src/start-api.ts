import { type Core, type Heartbeat, hasAccount, openAccount, openCore, startHeartbeat } from '@finhook/core';
import { createQueueProducer, createRedisClient, type QueueProducer } from '@finhook/queue';
import {
  createLogger,
  createServiceMetrics,
  type Logger,
  type Observability,
  observabilityOf,
  openObservability,
  serviceVersion,
} from '@finhook/runtime';
import { createApi } from './create-api.ts';
import type { ApiEnv } from './env.ts';
import type { OpsOptions } from './ops/register-ops-routes.ts';
import { createPacedWake } from './paced-wake.ts';

const WAKE_INTERVAL_MS = 4;
/** The first sums of millions of transactions take a minute; an export asks for one page at a time. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** A connection whose statement the server must have stopped by then has fallen silent. */
const SILENT_AFTER_MS = STATEMENT_TIMEOUT_MS + 10_000;

/** Requests of all keys of an account together, as a multiple of what one key may make. */
const ACCOUNT_SHARE = 4;
/** Requests that an account may have in flight at once. */
const ACCOUNT_IN_FLIGHT = 32;
/** Failed authentications that an address may make in a minute. */
const FAILED_AUTH = 20;
/** Bytes that a body may have, after decompression. */
const BODY_LIMIT = 2 * 1024 ** 2;

export interface RunningApi {
  /** Where it listens, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Where its metrics are scraped, if they are. */
  metricsUrl: string | undefined;
  core: Core;
  close: () => Promise<void>;
}

/** The composition root: opens database and queue, migrates, listens. */
export async function startApi(
  env: ApiEnv,
  logger: Logger = createLogger({ name: 'api', level: env.LOG_LEVEL }),
): Promise<RunningApi> {
  await using opened = new AsyncDisposableStack();
  const seen = await openObservability({ ...observabilityOf(env), serviceName: 'finhook-api', logger });
  opened.defer(seen.close);
  const producer = createQueueProducer(env.QUEUE_URL, { logger });
  opened.defer(() => producer.close());
  const core = await openApiCore(env, { logger, producer, seen });
  opened.defer(() => core.database.close());
  const redis = createRedisClient(env.QUEUE_URL, { logger });
  opened.defer(async () => redis?.close());
  await core.database.migrate(() =>
    logger.info({}, 'Another process is migrating the database: this one waits for it.'),
  );
  await bootstrap(core, env.BOOTSTRAP_API_KEY);
  // Ends after the app: it waits for the database, while others must find nobody listening.
  const heartbeat = startApiHeartbeat(core, logger);
  opened.defer(() => heartbeat.close());
  const app = await createApi({
    core,
    logger,
    pingQueue: () => producer.ping(),
    rateLimits: {
      requests: env.RATE_LIMIT_REQUESTS,
      accountRequests: ACCOUNT_SHARE * env.RATE_LIMIT_REQUESTS,
      inFlight: env.RATE_LIMIT_REQUESTS === 0 ? 0 : ACCOUNT_IN_FLIGHT,
      failedAuth: FAILED_AUTH,
      redis: redis?.client,
    },
    bodyLimit: BODY_LIMIT,
    trustedProxies: env.TRUSTED_PROXIES,
    metrics: seen.metrics,
    tracing: seen.tracing,
    ops: opsOf(env, producer, logger),
  });
  opened.defer(() => app.close());
  const url = await app.listen({ port: env.PORT, host: env.HOST });
  const running = opened.move();
  return { url, metricsUrl: seen.metricsUrl, core, close: () => running.disposeAsync() };
}

interface CoreParts {
  logger: Logger;
  producer: QueueProducer;
  seen: Observability;
}

async function openApiCore(env: ApiEnv, { logger, producer, seen }: CoreParts): Promise<Core> {
  const service = seen.metrics && createServiceMetrics(seen.metrics);
  const core = await openCore({
    databaseUrl: env.DATABASE_URL,
    secretsKey: env.SECRETS_KEY,
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
    proxyUrl: env.WEBHOOK_PROXY_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    wake: createPacedWake((endpointIds) => {
      producer.wake(endpointIds).catch((error: unknown) => logger.debug({ err: error }, 'A wake-up was not queued.'));
    }, WAKE_INTERVAL_MS),
    startSync: (runId) => {
      producer.startSyncs([runId]).catch((error: unknown) => logger.debug({ err: error }, 'A sync was not queued.'));
    },
    onDatabaseError: (message) => logger.warn({ message }, 'database'),
    onEvents: service?.events,
  });
  service?.watchPool(core.database.usage);
  return { ...core, database: core.database.within(SILENT_AFTER_MS) };
}

/** The console is for those who have its password; the log says when nobody has. */
function opsOf(env: ApiEnv, producer: QueueProducer, logger: Logger): OpsOptions | undefined {
  if (env.OPS_PASSWORD === undefined) {
    logger.info({}, 'the console at /ops is off: OPS_PASSWORD is not set');
    return undefined;
  }
  return {
    password: env.OPS_PASSWORD,
    secretsKey: env.SECRETS_KEY,
    queueUrl: env.QUEUE_URL,
    countJobs: (job) => producer.counts(job),
  };
}

function startApiHeartbeat(core: Core, logger: Logger): Heartbeat {
  return startHeartbeat(core, {
    role: 'api',
    version: serviceVersion(),
    onError: (err) => logger.debug({ err }, 'the database was not told that this api is alive'),
  });
}

/** On an empty database, the operator's first key opens the first account: once, however many api processes start. */
export async function bootstrap(core: Core, key: string | undefined): Promise<void> {
  if (key === undefined || (await hasAccount(core))) return;
  const mode = key.startsWith('sk_test_') ? 'test' : 'live';
  try {
    await openAccount(core, { name: 'First account', mode, companyName: 'First company', key });
  } catch (error) {
    // Another api that started at the same time was faster.
    if (!(await hasAccount(core))) throw error;
  }
}
