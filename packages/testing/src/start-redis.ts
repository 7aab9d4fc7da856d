import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type SupervisedProcess, spawnSupervised } from '@finhook/embedded';
import { type TestEnv, testEnv } from './env.ts';
import { redisCommands } from './redis-commands.ts';

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Sends SIGKILL; resolves when the process has exited. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

export function redisServerBinary(env: TestEnv = testEnv()): string | null {
  for (const folder of env.searchPath) {
    try {
      accessSync(join(folder, 'redis-server'), constants.X_OK);
      return join(folder, 'redis-server');
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Starts an empty Redis on 127.0.0.1 that stores nothing on disk and stops with this process. `args` come last. */
export async function startRedis(
  options: { readonly port?: number; readonly dir?: string; readonly args?: readonly string[] } = {},
): Promise<RedisServer> {
  const binary = redisServerBinary();
  if (binary === null) throw new Error('There is no redis-server on the PATH: install it.');
  const cwd = options.dir ?? tmpdir();
  const port = options.port ?? (await freePort());
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', cwd];
  const args = [...fixed, ...(options.args ?? [])];
  const start = () => spawnSupervised({ binary, args, cwd, readyText: 'Ready to accept connections' });
  let server: SupervisedProcess = await start();
  const end = async (name: 'SIGTERM' | 'SIGKILL') => {
    server.signal(name);
    await server.exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return server.pid;
    },
    flush: async () => void (await redisCommands(port, 'FLUSHALL')),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      server = await start();
    },
  };
}
