import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { freePort, type SupervisedProcess, spawnSupervised } from '@finhook/embedded';
import { redisServerBinary } from './env.ts';

const withinMs = 2_000;

/**
 * Sends commands to a Redis on 127.0.0.1 over a socket and resolves with the raw replies, because only the queue
 * package may import the client library. Rejects with the first error reply.
 */
export function redisCommands(port: number, ...commands: readonly string[]): Promise<string> {
  const asked = commands.join('; ');
  return new Promise((resolve, reject) => {
    let replies = '';
    const text = [...commands, 'PING'].map((command) => `${command}\r\n`).join('');
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(withinMs, () => socket.destroy(new Error(`Redis did not respond to ${asked} within 2 s.`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`Redis closed the connection before it responded to ${asked}.`)));
    socket.on('data', (chunk) => {
      replies += chunk.toString();
      const errorReply = /^-.*$/m.exec(replies)?.[0];
      if (errorReply !== undefined) socket.destroy(new Error(`Redis rejected one of ${asked}: ${errorReply}`));
      else if (replies.endsWith('+PONG\r\n')) socket.end(() => resolve(replies));
    });
  });
}

/** Repeats a command until its reply matches, for states on which servers must agree first. */
export async function redisAgrees(port: number, command: string, expected: RegExp, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const replies = await redisCommands(port, command).catch((error: unknown) => String(error));
    if (expected.test(replies)) return;
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${expected} from ${command}: ${replies}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL; resolves when the process has exited. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

/** An empty Redis on 127.0.0.1 without persistence that stops with this process. `args` come last. */
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
