import {
  type EnvSource,
  flag,
  loadEnv,
  logLevel,
  observabilityEnv,
  observabilityOf,
  retentionEnv,
  retryScale,
  sharedEnv,
  wholeNumber,
} from '@finhook/platform';
import { z } from 'zod';

/** The environment of the worker process. */
export const workerEnvSchema = z.object({
  ...sharedEnv,
  ...retentionEnv,
  ...observabilityEnv,
  ALLOW_INSECURE_WEBHOOKS: flag(false),
  WEBHOOK_RETRY_SCALE: retryScale(),
  LOG_LEVEL: logLevel('info'),
  WEBHOOK_TRACEPARENT: flag(false).describe('Whether traced deliveries carry a traceparent header.'),
  WORKER_CONCURRENCY: wholeNumber({ min: 1, max: 10_000, fallback: 100 }).describe(
    'Endpoints of one account worked on at once; several accounts share twice as many.',
  ),
  ENDPOINT_CONCURRENCY: wholeNumber({ min: 1, max: 128, fallback: 64 }).describe('Requests at once to one endpoint.'),
});

/** The worker's configuration. Every problem is told at once. @throws EnvError */
export function workerEnv(source: EnvSource = process.env) {
  const env = loadEnv(workerEnvSchema, source);
  return {
    databaseUrl: env.DATABASE_URL,
    queueUrl: env.QUEUE_URL,
    secretsKey: env.SECRETS_KEY,
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
    proxyUrl: env.WEBHOOK_PROXY_URL,
    retryScale: env.WEBHOOK_RETRY_SCALE,
    logLevel: env.LOG_LEVEL,
    sendTraceparent: env.WEBHOOK_TRACEPARENT,
    observability: observabilityOf(env),
    concurrency: env.WORKER_CONCURRENCY,
    endpointConcurrency: env.ENDPOINT_CONCURRENCY,
    poolSize: env.DATABASE_POOL_SIZE,
    retention: { eventDays: env.RETENTION_DAYS, auditDays: env.AUDIT_RETENTION_DAYS },
  };
}
