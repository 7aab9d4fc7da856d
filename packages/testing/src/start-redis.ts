import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type LeashedProcess, spawnLeashed } from '@finhook/embedded';
import { type TestEnv, testEnv } from './env.ts';

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** Starts it on the same port, after stopping it if it still runs. */
  readonly restart: () => Promise<void>;
}

/** Path of redis-server, or null where it isn't installed. */
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

/** Starts an empty Redis on 127.0.0.1 that keeps no data on disk and dies with this process. `args` come last. */
export async function startRedis(
  options: { readonly port?: number; readonly dir?: string; readonly args?: readonly string[] } = {},
): Promise<RedisServer> {
  const binary = redisServerBinary();
  if (binary === null) throw new Error('There is no redis-server on the PATH: install it, or set REDIS_URL.');
  const cwd = options.dir ?? tmpdir();
  const port = options.port ?? (await freePort());
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', cwd];
  const args = [...fixed, ...(options.args ?? [])];
  const start = () => spawnLeashed({ binary, args, cwd, readyText: 'Ready to accept connections' });
  let server: LeashedProcess = await start();
  const end = async (name: 'SIGTERM' | 'SIGKILL') => {
    server.signal(name);
    await server.exited;
  };
  const url = `redis://127.0.0.1:${port}`;
  return {
    url,
    get pid() {
      return server.pid;
    },
    flush: () => flushRedis(url),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      server = await start();
    },
  };
}

/** Empties the database that the URL names, over a bare socket: the client library belongs to the platform package. */
function flushRedis(url: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const commands = ['FLUSHDB'];
  if (pathname.length > 1) commands.unshift(`SELECT ${pathname.slice(1)}`);
  if (password !== '')
    commands.unshift(`AUTH ${decodeURIComponent(username || 'default')} ${decodeURIComponent(password)}`);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port || 6379), hostname, () => socket.write(`${commands.join('\r\n')}\r\n`));
    socket.setTimeout(2_000, () => socket.destroy(new Error('Redis did not answer FLUSHDB within 2 s.')));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      const replies = answer.split('\r\n').slice(0, -1);
      const refused = replies.find((reply) => !reply.startsWith('+OK'));
      if (refused !== undefined) socket.destroy(new Error(`Redis refused FLUSHDB: ${refused}`));
      else if (replies.length === commands.length) socket.end(resolve);
    });
  });
}
