import { loadEnv, logLevels } from '@finhook/platform';
import { z } from 'zod';

const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((value) => value === 'true' || value === '1');
const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback);

/** The environment of the api process. */
export const apiEnv = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z.string().startsWith('postgres', 'must be a postgres:// URL'),
  QUEUE_URL: z.string().min(1, 'must be a redis:// or postgres:// URL'),
  SECRETS_KEY: z.string().min(44, 'must be 32 bytes in base64: openssl rand -base64 32'),
  BOOTSTRAP_API_KEY: z.string().optional(),
  ALLOW_INSECURE_WEBHOOKS: flag,
  /** Requests a key may make in two seconds; 0 turns the limit off. */
  RATE_LIMIT_REQUESTS: count(200),
  /** Requests an account may have under way at once; 0 turns the limit off. */
  RATE_LIMIT_IN_FLIGHT: count(32),
  /** Failed authentications an address may make in a minute; 0 turns the limit off. */
  RATE_LIMIT_FAILED_AUTH: count(20),
  BODY_LIMIT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(2 * 1024 * 1024),
  /** Proxies whose X-Forwarded-For is believed: comma-separated addresses or CIDR ranges. */
  TRUSTED_PROXIES: z.string().optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(16),
  LOG_LEVEL: z.enum(logLevels).default('info'),
});
export type ApiEnv = z.output<typeof apiEnv>;

/** Reads and checks `process.env`; throws one error that names every problem. */
export function readApiEnv(): ApiEnv {
  return loadEnv(apiEnv, process.env);
}
