import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';
import { SECRETS_KEY } from './api-fixture.ts';

/** `node apps/worker/src/main.ts`, as an operator starts it, with waits between attempts that a test can sit out. */
export interface WorkerProcess {
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../../worker/src/main.ts', import.meta.url));

export function startWorkerProcess(databaseUrl: string): WorkerProcess {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: databaseUrl,
    QUEUE_URL: databaseUrl,
    SECRETS_KEY,
    ALLOW_INSECURE_WEBHOOKS: 'true',
    WEBHOOK_RETRY_SCALE: '0.00001',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
