// Risk: a part of the service ignores the TLS options of DATABASE_URL and sends passwords in clear text.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';

/** The code by which a client requests TLS (PostgreSQL documentation, 54.7). */
const SSL_REQUEST = 80_877_103;

/** A server that closes each connection after its first message and records the message. */
async function listenAt(host: string): Promise<{ port: number; asked: ('TLS' | 'in clear')[] } & AsyncDisposable> {
  const asked: ('TLS' | 'in clear')[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      asked.push(bytes.readInt32BE(4) === SSL_REQUEST ? 'TLS' : 'in clear');
      socket.destroy();
    });
  });
  await once(server.listen(0, host), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, asked, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Connects in every way that the service does. */
async function connect(url: string): Promise<void> {
  const database = await openDatabase({ url, entities: [], migrations: [], poolSize: 1 });
  await expect(database.query('SELECT 1')).rejects.toThrow();
  await expect(database.em().getConnection().execute('SELECT 1')).rejects.toThrow();
  await expect(database.migrate()).rejects.toThrow();
  await database.close();
}

test.each(['sslmode=verify-full', 'ssl=true', 'sslmode=no-verify'])(
  'with %s nothing is sent without TLS',
  async (way) => {
    await using server = await listenAt('127.0.0.1');
    await connect(`postgres://finhook:secret@127.0.0.1:${server.port}/finhook?${way}`);
    expect(server.asked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(server.asked)).toEqual(new Set(['TLS']));
  },
);

test.each([
  ['127.0.0.1', (port: number) => `postgres://finhook@127.0.0.1:${port}/finhook`],
  ['127.0.0.1', (port: number) => `postgres:///finhook?host=127.0.0.1&port=${port}`],
  ['::1', (port: number) => `postgres://finhook@[::1]:${port}/finhook`],
])('the server at %s is found as the URL names it', async (host, urlOf) => {
  await using server = await listenAt(host);
  await connect(urlOf(server.port));
  expect(server.asked.length).toBeGreaterThanOrEqual(3);
});
