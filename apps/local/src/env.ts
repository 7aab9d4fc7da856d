import { type EnvSource, loadEnv, logLevels } from '@finhook/platform';
import { z } from 'zod';

const flag = (fallback: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(fallback)
    .transform((value) => value === 'true');

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  FINHOOK_DATA_DIR: z.string().default('.finhook'),
  DATABASE_URL: z.string().startsWith('postgres', 'must begin with postgres://').optional(),
  QUEUE_URL: z.string().optional(),
  SECRETS_KEY: z.string().optional(),
  BOOTSTRAP_API_KEY: z.string().optional(),
  ALLOW_INSECURE_WEBHOOKS: flag('true'),
  WEBHOOK_RETRY_SCALE: z.coerce.number().positive().default(1),
  RATE_LIMIT_REQUESTS: z.coerce.number().int().min(0).default(0),
  RATE_LIMIT_IN_FLIGHT: z.coerce.number().int().min(0).default(0),
  RATE_LIMIT_FAILED_AUTH: z.coerce.number().int().min(0).default(0),
  BODY_LIMIT_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(2 * 1024 * 1024),
  LOG_LEVEL: z.enum(logLevels).default('warn'),
});

/** The launcher's configuration: everything has a default that works on a laptop. */
export type LocalEnv = z.output<typeof schema> & {
  /** Whether a script runner started this process: when it goes, so does everything here. */
  stopWithRunner: boolean;
};

/** Reads and checks the environment; throws one error that names every problem. */
export function readLocalEnv(source: EnvSource = process.env): LocalEnv {
  return { ...loadEnv(schema, source), stopWithRunner: source['npm_lifecycle_event'] !== undefined };
}
