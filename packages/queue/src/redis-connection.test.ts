// Risk: a useless connection to Redis is kept, or a valid one can't be made.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate, type TestCertificate } from '@finhook/testing';
import { Cluster } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { parseQueueUrl } from './queue-url.ts';
import { connect } from './redis-connection.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/**
 * A server on 127.0.0.1, with TLS if it has a certificate. `receive` gets the data and the connection's number from 0.
 */
async function serve(receive: (socket: Socket, data: string, connection: number) => void, tls?: TestCertificate) {
  const sockets: Socket[] = [];
  const accept = (socket: Socket) => {
    const connection = sockets.push(socket) - 1;
    socket.on('error', () => undefined).on('data', (data) => receive(socket, data.toString('latin1'), connection));
  };
  const server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  // A TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => sockets.length };
}

const info = 'role:master\r\nloading:0\r\n';
const replies: Record<string, string> = {
  HELLO: '%0\r\n',
  INFO: `$${info.length}\r\n${info}\r\n`,
  PING: '+PONG\r\n',
};

/** The reply to CLUSTER SLOTS of a cluster of one node. */
const slotsAt = (port: number) => `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${port}\r\n`;

/** Redis as far as connecting and PING need it. `reply` gets the first word of a command, for CLUSTER both. */
function serveRedis(reply: (command: string, connection: number, socket: Socket) => string | undefined) {
  return serve((socket, data, connection) => {
    for (const [, first = '', second] of data.matchAll(/\*\d+\r\n\$\d+\r\n([a-z]+)\r\n(?:\$\d+\r\n([a-z]+)\r\n)?/gi)) {
      const name = first.toUpperCase();
      const command = name === 'CLUSTER' ? `${name} ${second?.toUpperCase()}` : name;
      const text = reply(command, connection, socket) ?? replies[command] ?? '+OK\r\n';
      if (!socket.destroyed) socket.write(text);
    }
  });
}

function open(url: string, role: 'producer' | 'consumer' = 'producer', limits?: Parameters<typeof connect>[3]) {
  const target = parseQueueUrl(url);
  if (target.kind === 'postgres') throw new Error(`There is no Redis at ${url}.`);
  const client = connect(target, role, undefined, limits);
  client.on('error', () => undefined);
  closers.push(async () => client.disconnect());
  return client;
}

const resultOf = (asked: Promise<unknown>) => asked.catch((error: Error) => error.message);

test('a connection that falls silent is given up for another', async () => {
  // Connections up to this one are silent: on a slow machine a handshake may exceed the limits, so another one may be
  // ready first.
  let silent = -1;
  const redis = await serveRedis((_command, connection) => (connection <= silent ? '' : undefined));
  const client = open(`redis://127.0.0.1:${redis.port}`, 'producer', { responseMs: 150, commandMs: 100 });
  await once(client, 'ready');
  silent = redis.connections() - 1;
  expect(await resultOf(client.ping())).toBe('Command timed out');
  await expect.poll(() => resultOf(client.ping())).toBe('PONG');
  expect(redis.connections()).toBeGreaterThan(silent + 1);
});

test.each([
  "READONLY You can't write against a read only replica.",
  "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a read only replica.",
])('a master that has become a replica is left: %s', async (rejection) => {
  const refuse = (command: string) => (command === 'SET' ? `-${rejection}\r\n` : undefined);
  const redis = await serveRedis((command, connection) => (connection === 0 ? refuse(command) : undefined));
  const client = open(`redis://127.0.0.1:${redis.port}`);
  await once(client, 'ready');
  expect(await resultOf(client.set('key', 'value'))).toBe(rejection);
  await expect.poll(() => resultOf(client.set('key', 'value'))).toBe('OK');
  expect(redis.connections()).toBe(2);
});

test.each(['redis', 'redis-cluster'])(
  'a command on %s that was sent when its connection closed is not sent again',
  async (scheme) => {
    let port = 0;
    let sent = 0;
    const redis = await serveRedis((command, _connection, socket) => {
      if (command === 'CLUSTER SLOTS') return slotsAt(port);
      if (command !== 'INCR') return undefined;
      sent += 1;
      // The command ran, and the connection breaks before the response.
      if (sent === 1) socket.destroy();
      return undefined;
    });
    port = redis.port;
    const client = open(`${scheme}://127.0.0.1:${port}`);
    await once(client, 'ready');
    await expect(client.incr('key')).rejects.toThrow();
    await expect.poll(() => resultOf(client.ping())).toBe('PONG');
    expect(sent).toBe(1);
  },
);

test('connect() to a cluster that is not whole yet resolves when it is', async () => {
  let port = 0;
  let isWhole = true;
  let failed = 0;
  const redis = await serveRedis((command) => {
    if (command === 'CLUSTER SLOTS') return slotsAt(port);
    if (command !== 'CLUSTER INFO') return undefined;
    if (isWhole) return '$16\r\ncluster_state:ok\r\n';
    failed += 1;
    return '$18\r\ncluster_state:fail\r\n';
  });
  port = redis.port;
  const cluster = open(`redis-cluster://127.0.0.1:${port}`, 'consumer');
  if (!(cluster instanceof Cluster)) throw new Error('It is no cluster.');
  // BullMQ duplicates clients for blocking commands.
  const client = cluster.duplicate();
  client.on('error', () => undefined);
  closers.push(async () => client.disconnect());
  await once(client, 'ready');
  client.disconnect();
  await once(client, 'end');
  isWhole = false;
  const connecting = client.connect();
  await expect.poll(() => failed).toBeGreaterThan(1);
  isWhole = true;
  await connecting;
  expect(await client.ping()).toBe('PONG');
});

test('a consumer outwaits the ten seconds that it asks for a job at once', () => {
  const client = open('redis://127.0.0.1:1', 'consumer');
  expect(client.options).toMatchObject({ socketTimeout: 15_000 });
});

test('rediss-sentinel:// speaks TLS to the sentinels', async () => {
  const said = Promise.withResolvers<string>();
  const { port } = await serve((_socket, data) => said.resolve(data));
  open(`rediss-sentinel://127.0.0.1:${port}/finhook`);
  // A TLS handshake record, of any version.
  expect((await said.promise).startsWith('\x16\x03')).toBe(true);
});

test('rediss-cluster:// finds nodes whose certificates have their names only', async () => {
  const certificate = makeCertificate([203, 0, 113, 7]);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, certificate.cert]);
  closers.push(async () => setDefaultCACertificates(trusted));
  let heard = '';
  const { port } = await serve((_socket, data) => (heard += data), certificate);
  open(`rediss-cluster://localhost:${port}`);
  // Sent by the client after it accepted the certificate.
  await expect.poll(() => heard).toContain('client');
});
