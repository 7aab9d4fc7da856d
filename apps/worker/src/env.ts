import { type EnvSource, loadEnv, logLevels, parseQueueUrl } from '@finhook/platform';
import { z } from 'zod';

const count = (fallback: string, max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number from 1')
    .default(fallback)
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`);

const isQueueUrl = (url: string): boolean => {
  try {
    return parseQueueUrl(url).kind !== undefined;
  } catch {
    return false;
  }
};

const schema = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .describe('Set it to the PostgreSQL of the service, e.g. postgres://user:password@host:5432/finhook.'),
  QUEUE_URL: z
    .string()
    .refine(isQueueUrl, 'names no queue backend')
    .describe('Set it to redis://…, rediss://…, redis-cluster://host:port,host:port or postgres://….'),
  SECRETS_KEY: z
    .string()
    .refine((keys) => keys.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === 32), 'is not valid')
    .describe('Give the same as to the API: 32 bytes in base64 (openssl rand -base64 32), several with commas.'),
  ALLOW_INSECURE_WEBHOOKS: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  WEBHOOK_RETRY_SCALE: z
    .string()
    .regex(/^\d*\.?\d+$/, 'must be a number above 0')
    .default('1')
    .transform(Number)
    .refine((value) => value > 0, 'must be a number above 0'),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  WORKER_CONCURRENCY: count('100', 10_000).describe('Endpoints worked on at once.'),
  ENDPOINT_CONCURRENCY: count('64', 128).describe('Requests at once to one endpoint.'),
  DATABASE_POOL_SIZE: count('10', 1_000).describe('Connections to PostgreSQL.'),
});

/** The worker's configuration. Every problem is told at once. @throws EnvError */
export function workerEnv(source: EnvSource = process.env) {
  const env = loadEnv(schema, source);
  return {
    databaseUrl: env.DATABASE_URL,
    queueUrl: env.QUEUE_URL,
    secretsKey: env.SECRETS_KEY,
    allowInsecureWebhooks: env.ALLOW_INSECURE_WEBHOOKS,
    retryScale: env.WEBHOOK_RETRY_SCALE,
    logLevel: env.LOG_LEVEL,
    concurrency: env.WORKER_CONCURRENCY,
    endpointConcurrency: env.ENDPOINT_CONCURRENCY,
    poolSize: env.DATABASE_POOL_SIZE,
  };
}
