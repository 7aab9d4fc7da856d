import { apiEnv } from '@finhook/api';
import { loadEnv } from '@finhook/runtime';
import { workerEnvSchema } from '@finhook/worker';
import { z } from 'zod';

/** The variables of the api and of the worker. */
export const combinedEnv = z.object({ ...apiEnv.shape, ...workerEnvSchema.shape });
export type CombinedEnv = z.output<typeof combinedEnv>;

/** @throws EnvError, which lists every problem */
export function readCombinedEnv(): CombinedEnv {
  return loadEnv(combinedEnv, process.env);
}
