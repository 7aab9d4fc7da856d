import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '@finhook/embedded';
import { redisCommands } from './redis-commands.ts';
import type { RedisServer } from './start-redis.ts';

/**
 * Opens a running Redis through a TCP proxy. `stop` closes the proxy, so that clients see a stopped server that keeps its
 * data. Empties `database`, as does `flush`. For `redis:` only: TLS would fail on the proxy's host name.
 */
export async function openRedis(redisUrl: string, database: number): Promise<Omit<RedisServer, 'pid' | 'kill'>> {
  const target = new URL(redisUrl);
  if (target.protocol !== 'redis:') throw new Error('REDIS_URL must begin with redis:// for the tests.');
  const port = await freePort();
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${port}`;
  url.pathname = `/${database}`;
  const proxy = createProxy(target, port);
  await proxy.open();
  const flush = () => redisCommands(port, ...loginOf(target), `SELECT ${database}`, 'FLUSHDB').then(() => undefined);
  try {
    await flush();
  } catch (cause) {
    await proxy.close();
    throw new Error(`The Redis of REDIS_URL at ${target.host} can't be used for tests.`, { cause });
  }
  return {
    url: url.href,
    flush,
    stop: proxy.close,
    restart: async () => {
      await proxy.close();
      await proxy.open();
    },
  };
}

function loginOf({ username, password }: URL): string[] {
  if (password === '') return [];
  return [`AUTH ${decodeURIComponent(username || 'default')} ${decodeURIComponent(password)}`];
}

function createProxy({ hostname, port: targetPort }: URL, port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(targetPort || 6379), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  return {
    open: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
