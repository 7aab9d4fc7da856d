import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compileCache, readReadyLine } from '@finhook/testing';
import { SECRETS_KEY } from './api-fixture.ts';

/** `node apps/api/src/main.ts`, as an operator starts it, without rate limits. */
export interface ApiProcess {
  url: string;
  /** Its resident memory now, in bytes. */
  memory(): number;
  /** SIGTERM; resolves with the exit code when the process is gone. */
  stop(): Promise<number | null>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function startChild(databaseUrl: string, more: Readonly<Record<string, string>>): ChildProcess {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    NODE_COMPILE_CACHE: compileCache,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    QUEUE_URL: databaseUrl,
    SECRETS_KEY,
    ALLOW_INSECURE_WEBHOOKS: 'true',
    RATE_LIMIT_REQUESTS: '0',
    ...more,
  };
  return spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The lines that it logs before it ends by itself, and its exit code. */
export async function runApiToItsEnd(databaseUrl: string): Promise<{ code: number | null; lines: readonly unknown[] }> {
  const child = startChild(databaseUrl, {});
  if (!child.stdout) throw new Error('The api has no output.');
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const lines = output.trim().split('\n');
  return { code: child.exitCode, lines: lines.map((line): unknown => JSON.parse(line)) };
}

export async function startApiProcess(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const child = startChild(databaseUrl, env);
  const exited = once(child, 'exit');
  const url = await readReadyLine(child, 'api');
  return {
    url,
    memory: () => 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
