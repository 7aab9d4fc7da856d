import {
  admitProcess,
  type Core,
  type DeliveryQueue,
  type Heartbeat,
  hasAccount,
  openAccount,
  openCore,
  replicaReadResults,
  startHeartbeat,
  toDeliveryQueue,
} from '@finhook/core';
import { createQueueProducer, createRedisClient, type QueueProducer } from '@finhook/queue';
import {
  type Logger,
  type Observability,
  observabilityOf,
  openObservability,
  type ServiceMetrics,
  serviceVersion,
} from '@finhook/runtime';
import { createApi } from './create-api.ts';
import type { ApiEnv } from './env.ts';
import type { OpsOptions } from './ops/register-ops-routes.ts';

/** The first sums over millions of rows take a minute. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** After the statement timeout the connection must be dead. */
const SILENT_AFTER_MS = STATEMENT_TIMEOUT_MS + 10_000;

/** An account's request limit, as a multiple of the limit of one key. */
const ACCOUNT_LIMIT_FACTOR = 4;
const ACCOUNT_IN_FLIGHT = 32;
/** Failed authentications per address and minute. */
const FAILED_AUTH = 20;
/** Maximum bytes of a body after decompression. */
const BODY_LIMIT = 2 * 1024 ** 2;

export interface RunningApi {
  url: string;
  metricsUrl: string | undefined;
  core: Core;
  close: () => Promise<void>;
}

/** Shared with a worker in the same process. Its opener closes it. */
interface SharedWithWorker {
  readonly producer: QueueProducer;
  readonly queue: DeliveryQueue;
  readonly observability: Observability;
  /** Default: the api opens its own. */
  readonly core?: Core | undefined;
}

export interface StartOptions {
  readonly shared?: SharedWithWorker | undefined;
  /** Aborts a start that waits for the database. Later it announces the stop, which `close` begins. */
  readonly signal?: AbortSignal | undefined;
  /** Called once before the start waits for the database. By default, it logs; what it throws ends the start. */
  readonly onDatabaseAway?: ((error: unknown) => void) | undefined;
}

export async function startApi(
  env: ApiEnv,
  logger: Logger,
  { shared, signal, onDatabaseAway }: StartOptions = {},
): Promise<RunningApi> {
  await using opened = new AsyncDisposableStack();
  const observability = shared?.observability ?? (await openOwnObservability(env, logger, opened));
  const { service } = observability;
  const producer =
    shared?.producer ?? opened.adopt(createQueueProducer(env.QUEUE_URL, { logger }), (queue) => queue.close());
  const stores = shared?.core ?? (await openStores(env, { logger, service }, opened));
  const queue =
    shared?.queue ??
    toDeliveryQueue(producer, stores.secrets, (err) => logger.debug({ err }, 'Deliveries were not queued.'));
  const core = toApiCore(stores, { logger, producer, queue, service });
  const redis = createRedisClient(env.QUEUE_URL, { logger });
  opened.defer(async () => redis?.close());
  const onMigrating = () => logger.info({}, 'Another process is migrating the database: this one waits for it.');
  const warn = (err: unknown) => logger.warn({ err }, 'the database is unavailable: the api waits for it');
  const onWait = onDatabaseAway ?? warn;
  await admitProcess(core, { prepare: () => core.database.migrate(onMigrating), onWait, signal });
  await bootstrap(core, env.BOOTSTRAP_API_KEY);
  // The port must be free before this waits for the database.
  const heartbeat = startApiHeartbeat(core, logger);
  opened.defer(() => heartbeat.close());
  const app = await createApi({
    core,
    logger,
    pingQueue: () => producer.ping(),
    rateLimits: {
      requests: env.RATE_LIMIT_REQUESTS,
      accountRequests: ACCOUNT_LIMIT_FACTOR * env.RATE_LIMIT_REQUESTS,
      inFlight: env.RATE_LIMIT_REQUESTS === 0 ? 0 : ACCOUNT_IN_FLIGHT,
      failedAuth: FAILED_AUTH,
      redis: redis?.client,
    },
    bodyLimit: BODY_LIMIT,
    trustedProxies: env.TRUSTED_PROXIES,
    metrics: observability.metrics,
    tracing: observability.tracing,
    ops: opsOf(env, producer, logger),
    stopping: signal,
  });
  opened.defer(() => app.close());
  const url = await app.listen({ port: env.PORT, host: env.HOST });
  const running = opened.move();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= running.disposeAsync());
  return { url, metricsUrl: observability.metricsUrl, core, close };
}

async function openOwnObservability(env: ApiEnv, logger: Logger, opened: AsyncDisposableStack): Promise<Observability> {
  const observability = await openObservability({ ...observabilityOf(env), serviceName: 'finhook-api', logger });
  opened.defer(observability.close);
  return observability;
}

interface CoreParts {
  logger: Logger;
  producer: QueueProducer;
  queue: DeliveryQueue;
  service: ServiceMetrics | undefined;
}

async function openStores(
  env: ApiEnv,
  { logger, service }: Pick<CoreParts, 'logger' | 'service'>,
  opened: AsyncDisposableStack,
): Promise<Core> {
  const { DATABASE_REPLICA_URL: replicaUrl } = env;
  const core = await openCore({
    databaseUrl: env.DATABASE_URL,
    cell: env.CELL,
    replica:
      replicaUrl === undefined ? undefined : { url: replicaUrl, onRead: service?.replicaReads(replicaReadResults) },
    secretsKey: env.SECRETS_KEY,
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
    proxyUrl: env.WEBHOOK_PROXY_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onDatabaseError: (message) => logger.warn({ message }, 'database'),
  });
  opened.defer(() => core.database.close());
  return core;
}

function toApiCore(core: Core, { logger, producer, queue, service }: CoreParts): Core {
  service?.watchPool(core.database.usage);
  const { replicaLagMs } = core.database;
  if (replicaLagMs !== undefined) service?.watchReplicaLag(replicaLagMs);
  return {
    ...core,
    database: core.database.within(SILENT_AFTER_MS),
    queue,
    jobs: {
      startSync: (runId) => {
        producer.startSyncs([runId]).catch((error: unknown) => logger.debug({ err: error }, 'A sync was not queued.'));
      },
      startMaintenance: (task) => {
        producer
          .startMaintenance(task)
          .catch((error: unknown) => logger.debug({ err: error }, 'A task was not queued.'));
      },
    },
    onEvents: service?.events,
  };
}

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
    onError: (err) => logger.debug({ err }, 'The heartbeat could not be written.'),
  });
}

/** Creates the first account with the operator's key, once, on an empty database. */
export async function bootstrap(core: Core, key: string | undefined): Promise<void> {
  if (key === undefined || (await hasAccount(core))) return;
  const mode = key.startsWith('sk_test_') ? 'test' : 'live';
  try {
    await openAccount(core, { name: 'First account', mode, companyName: 'First company', key });
  } catch (error) {
    // Another process created it meanwhile.
    if (!(await hasAccount(core))) throw error;
  }
}
