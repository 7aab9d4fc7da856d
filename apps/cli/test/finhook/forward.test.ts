// Risk: trigger and listen run out of memory with a large response, or judge responses differently from the service.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { forward, isAccepted } from '../../src/finhook/forward.ts';

const event = { id: 'evt_1', type: 'bank.balance.updated', created_at: '2026-01-01T00:00:00.000Z', data: {} };
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const head = (status: number, headers: string): string => `HTTP/1.1 ${status} X\r\n${headers}\r\n\r\n`;
const chunked = 'transfer-encoding: chunked';

/** Writes until the other side closes the connection. */
function flood(socket: Socket, chunk: string): void {
  const more = (): boolean => socket.destroyed || !socket.write(chunk) || more();
  socket.on('drain', more);
  more();
}

/** The result of an event with this behaviour of its handler, and the bytes that the handler could write. */
async function forwardTo(
  respond: (socket: Socket) => void,
  timeoutMs = 20_000,
  onRequest: (text: string) => void = () => undefined,
) {
  await using stack = new AsyncDisposableStack();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      onRequest(data.toString());
      respond(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const { port } = server.address() as AddressInfo;
  const result = await forward(event, new URL(`http://127.0.0.1:${port}/`), secret, { timeoutMs });
  const [socket]: Socket[] = await connected;
  stack.defer(() => void server.close());
  stack.defer(() => void socket?.destroy());
  return { result, socket };
}

test.each([
  ['a length of 1.2 GB', head(200, 'content-length: 1200000000'), 'a'.repeat(65_536)],
  ['no end', head(200, chunked), `400\r\n${'z'.repeat(1_024)}\r\n`],
])('of a body with %s 64 KiB are read, the connection is closed, and the status decides', async (_, start, chunk) => {
  const { result, socket } = await forwardTo((each) => {
    each.write(start);
    flood(each, chunk);
  });
  expect(result).toMatchObject({ status: 200, error: null, response_truncated: true });
  expect(result.body).toHaveLength(500);
  expect(isAccepted(result)).toBe(true);
  if (socket && !socket.destroyed) await once(socket, 'close');
});

test('a compressed body, which was not asked for, is not unpacked', async () => {
  const { result } = await forwardTo((socket) => {
    socket.write(head(200, 'content-encoding: gzip\r\nconnection: close'));
    socket.end(gzipSync(Buffer.alloc(4_000_000)));
  });
  expect(result).toMatchObject({ status: 200, body: '[compressed response body]', response_truncated: false });
});

test.each([
  ['interim responses', `${head(100, 'server: IIS')}${head(103, 'link: </a>')}`, ''],
  ['headers of 200 KB', '', `x-fill: ${'a'.repeat(200_000)}\r\n`],
])('a 200 with %s is a success, as for the service', async (_, before, headers) => {
  const { result } = await forwardTo(
    (socket) => void socket.write(`${before}${head(200, `${headers}content-length: 0`)}`),
  );
  expect(result).toMatchObject({ status: 200, error: null });
});

test('a request has the headers of the service, and those that a browser would add are not among them', async () => {
  let request = '';
  await forwardTo(
    (socket) => void socket.end(head(204, 'connection: close')),
    20_000,
    (text) => (request += text),
  );
  const names = request
    .split('\r\n')
    .slice(1, -2)
    .map((line) => line.split(':')[0]?.toLowerCase());
  expect(names).toEqual(
    expect.arrayContaining(['accept', 'accept-encoding', 'content-type', 'user-agent', 'webhook-id']),
  );
  expect(request).toMatch(/^accept-encoding: identity\r$/im);
  expect(names.filter((name) => /^(accept-language|sec-)/.test(name ?? ''))).toEqual([]);
});

test('a port that browsers do not connect to is a port', async () => {
  const result = await forward(event, new URL('http://127.0.0.1:6000/'), secret, { timeoutMs: 5_000 });
  expect(result.error).toContain('ECONNREFUSED');
});

test('a handler that does not respond in time is a failure that says so', async () => {
  const { result } = await forwardTo(() => undefined, 300);
  expect(result).toMatchObject({ status: null, error: 'no response arrived within 0.3 s' });
});

test.each([
  ['is shorter than its length', (socket: Socket) => void socket.end(`${head(200, 'content-length: 100')}half`)],
  [
    'is reset',
    (socket: Socket) => {
      socket.write(`${head(200, 'content-length: 100')}half`);
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
  ],
  ['has no last chunk', (socket: Socket) => void socket.end(`${head(200, chunked)}4\r\nhalf\r\n`)],
  ['has an invalid chunk', (socket: Socket) => void socket.end(`${head(200, chunked)}4\r\nhalf\r\nZZ\r\n`)],
])('a 200 whose body %s is a success that says so', async (_, respond) => {
  const { result } = await forwardTo(respond);
  expect(result).toMatchObject({ status: 200, error: null, response_truncated: true, body: 'half' });
  expect(isAccepted(result)).toBe(true);
});

test('a body that does not end in time is a failure that says the status', async () => {
  // The second is for the status and the first bytes, which a busy machine delivers late.
  const { result } = await forwardTo((socket) => void socket.write(`${head(200, chunked)}4\r\nhalf\r\n`), 1_000);
  expect(result).toMatchObject({
    status: 200,
    error: '200 arrived; its body did not end within 1 s',
    body: 'half',
    response_truncated: true,
  });
  expect(isAccepted(result)).toBe(false);
});

test.each([204, 302, 410, 500])('a %i decides by itself', async (status) => {
  const { result } = await forwardTo((socket) => void socket.write(head(status, 'content-length: 0')));
  expect(result).toMatchObject({ status, body: '', error: null, response_truncated: false });
  expect(isAccepted(result)).toBe(status === 204);
});
