import { queueEnv } from '@finhook/queue';
import {
  cidrList,
  flag,
  loadEnv,
  logLevel,
  observabilityEnv,
  opsEnv,
  replicaEnv,
  sharedEnv,
  wholeNumber,
} from '@finhook/runtime';
import { z } from 'zod';

export const apiEnv = z.object({
  ...sharedEnv,
  ...replicaEnv,
  ...queueEnv,
  ...observabilityEnv,
  ...opsEnv,
  PORT: wholeNumber({ min: 0, max: 65_535, fallback: 3000 }),
  HOST: z.string().default('127.0.0.1'),
  BOOTSTRAP_API_KEY: z.string().optional(),
  ALLOW_INSECURE_WEBHOOKS: flag(false),
  /** Requests per key and two seconds; 0 turns off this limit and that of the account. */
  RATE_LIMIT_REQUESTS: wholeNumber({ min: 0, max: 1_000_000, fallback: 200 }),
  TRUSTED_PROXIES: cidrList()
    .refine(
      (ranges) => !ranges.some((range) => range.endsWith('/0')),
      'must not be everyone, who could claim any address',
    )
    .describe('The proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.'),
  LOG_LEVEL: logLevel('info'),
});
export type ApiEnv = z.output<typeof apiEnv>;

export function readApiEnv(): ApiEnv {
  return loadEnv(apiEnv, process.env);
}
