import { z } from 'zod';
import { logLevels } from './create-logger.ts';
import { parseQueueUrl } from './queue/parse-queue-url.ts';

/** A whole number from `min` to `max`. */
export function wholeNumber(limits: { readonly min: number; readonly max: number; readonly fallback: number }) {
  const { min, max, fallback } = limits;
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .default(fallback);
}

/** A number above 0. */
export function positiveNumber(fallback: number) {
  return z
    .string()
    .regex(/^\d*\.?\d+$/, 'must be a number above 0')
    .transform(Number)
    .refine((value) => value > 0, 'must be a number above 0')
    .default(fallback);
}

/** `true` or `false`, also as `1` or `0`. */
export function flag(fallback: boolean) {
  return z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((value) => value === 'true' || value === '1')
    .default(fallback);
}

/** How much is logged. */
export function logLevel(fallback: (typeof logLevels)[number]) {
  return z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default(fallback);
}

function isQueueUrl(url: string): boolean {
  try {
    return parseQueueUrl(url).kind !== undefined;
  } catch {
    return false;
  }
}

function areKeys(keys: string): boolean {
  return keys.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === 32);
}

/** Variables that several processes read, each in its one form. */
export const sharedEnv = {
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
    .refine(areKeys, 'is not valid')
    .describe('Give api and worker the same: 32 bytes in base64 (openssl rand -base64 32), several with commas.'),
};
