import { queueEnv } from '@finhook/queue';
import {
  type EnvSource,
  flag,
  loadEnv,
  logLevel,
  opsEnv,
  retentionEnv,
  retryScale,
  sharedEnv,
  wholeNumber,
} from '@finhook/runtime';
import { z } from 'zod';

const schema = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535, fallback: 3000 }),
  HOST: z.string().default('127.0.0.1'),
  FINHOOK_DATA_DIR: z.string().default('.finhook'),
  DATABASE_URL: sharedEnv.DATABASE_URL.optional(),
  QUEUE_URL: queueEnv.QUEUE_URL.optional(),
  SECRETS_KEY: sharedEnv.SECRETS_KEY.optional(),
  CELL: sharedEnv.CELL,
  WEBHOOK_ALLOWED_CIDRS: sharedEnv.WEBHOOK_ALLOWED_CIDRS,
  WEBHOOK_PROXY_URL: sharedEnv.WEBHOOK_PROXY_URL,
  DATABASE_POOL_SIZE: sharedEnv.DATABASE_POOL_SIZE,
  ...retentionEnv,
  ...opsEnv,
  BOOTSTRAP_API_KEY: z.string().optional(),
  ALLOW_INSECURE_WEBHOOKS: flag(true),
  WEBHOOK_RETRY_SCALE: retryScale(),
  RATE_LIMIT_REQUESTS: wholeNumber({ min: 0, max: 1_000_000, fallback: 0 }),
  LOG_LEVEL: logLevel('warn'),
});

/** Every variable of `start` has a default for a laptop. */
export type LocalEnv = z.output<typeof schema> & {
  /** True if a script runner started this process, which stops when the runner exits. */
  stopWithRunner: boolean;
};

export function readLocalEnv(source: EnvSource = process.env): LocalEnv {
  return { ...loadEnv(schema, source), stopWithRunner: source['npm_lifecycle_event'] !== undefined };
}
