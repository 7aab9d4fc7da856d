import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '@finhook/embedded';
import { redisCommands } from './redis-commands.ts';
import type { RedisServer } from './start-redis.ts';

/**
 * A Redis that runs already, behind a door of our own that can be shut: to its clients it is stopped then, though it
 * keeps what it has. `database` is emptied, now and by `flush`. For `redis:` alone: TLS would see another host behind the door.
 */
export async function openRedis(redisUrl: string, database: number): Promise<Omit<RedisServer, 'pid' | 'kill'>> {
  const target = new URL(redisUrl);
  if (target.protocol !== 'redis:') throw new Error('REDIS_URL must begin with redis:// for the tests.');
  const port = await freePort();
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${port}`;
  url.pathname = `/${database}`;
  const door = createDoor(target, port);
  await door.open();
  const flush = () => redisCommands(port, ...loginOf(target), `SELECT ${database}`, 'FLUSHDB').then(() => undefined);
  try {
    await flush();
  } catch (cause) {
    await door.shut();
    throw new Error(`The Redis of REDIS_URL at ${target.host} can't be used for tests.`, { cause });
  }
  return {
    url: url.href,
    flush,
    stop: door.shut,
    restart: async () => {
      await door.shut();
      await door.open();
    },
  };
}

function loginOf({ username, password }: URL): string[] {
  if (password === '') return [];
  return [`AUTH ${decodeURIComponent(username || 'default')} ${decodeURIComponent(password)}`];
}

function createDoor({ hostname, port: targetPort }: URL, port: number) {
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
    shut: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
