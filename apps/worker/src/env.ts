import { queueEnv } from '@finhook/queue';
import {
  type EnvSource,
  flag,
  loadEnv,
  logLevel,
  observabilityEnv,
  observabilityOf,
  retentionEnv,
  retentionOf,
  retryScale,
  sharedEnv,
} from '@finhook/runtime';
import { z } from 'zod';

export const workerEnvSchema = z.object({
  ...sharedEnv,
  ...queueEnv,
  ...retentionEnv,
  ...observabilityEnv,
  ALLOW_INSECURE_WEBHOOKS: flag(false),
  WEBHOOK_RETRY_SCALE: retryScale(),
  LOG_LEVEL: logLevel('info'),
  WEBHOOK_TRACEPARENT: flag(false).describe('Whether traced deliveries carry a traceparent header.'),
});

/** @throws EnvError, which lists every problem */
export function workerEnv(source: EnvSource = process.env) {
  return workerOptionsOf(loadEnv(workerEnvSchema, source));
}

export function workerOptionsOf(env: z.output<typeof workerEnvSchema>) {
  return {
    databaseUrl: env.DATABASE_URL,
    cell: env.CELL,
    queueUrl: env.QUEUE_URL,
    secretsKey: env.SECRETS_KEY,
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    allowedCidrs: env.WEBHOOK_ALLOWED_CIDRS,
    proxyUrl: env.WEBHOOK_PROXY_URL,
    retryScale: env.WEBHOOK_RETRY_SCALE,
    logLevel: env.LOG_LEVEL,
    sendTraceparent: env.WEBHOOK_TRACEPARENT,
    observability: observabilityOf(env),
    poolSize: env.DATABASE_POOL_SIZE,
    retention: retentionOf(env),
  };
}
