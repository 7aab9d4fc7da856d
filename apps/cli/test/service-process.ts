import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache, readReadyLine } from '@finhook/testing';

export const secretsKey = Buffer.alloc(32, 7).toString('base64');

export type ServiceName = 'api' | 'worker' | 'combined';

/** An api, a worker, or both in one process. */
export interface ServiceProcess {
  readonly name: ServiceName;
  /** Resolves when it is ready, with the address of what serves requests. */
  readonly ready: Promise<string>;
  /** Its log so far. */
  log(): string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}

const mains = {
  api: new URL('main.ts', import.meta.resolve('@finhook/api')),
  worker: new URL('main.ts', import.meta.resolve('@finhook/worker')),
  combined: new URL('main.ts', import.meta.resolve('@finhook/combined')),
};

/** Starts `node main.ts` without rate limits and with short retries, on any free port by default. */
export function startService(
  name: ServiceName,
  urls: { readonly databaseUrl: string; readonly queueUrl: string; readonly cell?: string },
  port = 0,
): ServiceProcess {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    NODE_COMPILE_CACHE: compileCache,
    PORT: String(port),
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: urls.databaseUrl,
    QUEUE_URL: urls.queueUrl,
    SECRETS_KEY: secretsKey,
    CELL: urls.cell,
    ALLOW_INSECURE_WEBHOOKS: 'true',
    RATE_LIMIT_REQUESTS: '0',
    WEBHOOK_RETRY_SCALE: '0.01',
  };
  const child = spawn(process.execPath, [mains[name].pathname], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let log = '';
  child.stdout.on('data', (chunk) => (log += String(chunk)));
  const ready = readReadyLine(child, name);
  // Callers may end a process before it is ready.
  ready.catch(() => undefined);
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return { name, ready, log: () => log, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) };
}
