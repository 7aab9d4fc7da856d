// Risk: a load waits forever on a closed connection, or counts requests that got no response.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection, parseHead } from './http-connection.ts';

test('a request on a connection that was closed while it was idle fails at once', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const connection = await openConnection(`http://127.0.0.1:${String(port)}`, {});
  expect((await connection.get('/')).status).toBe(200);
  server.closeIdleConnections();
  await delay(100);
  expect(connection.isOpen()).toBe(false);
  await expect(connection.get('/')).rejects.toThrow('closed');
  await expect(connection.post('/', 'x')).rejects.toThrow('closed');
});

const head = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n';

test('finds the body whatever follows it', () => {
  const bytes = Buffer.from(`${head}helloHTTP/1.1 200 OK`);
  const found = parseHead(bytes);
  expect(found?.status).toBe(201);
  expect(bytes.toString('utf8', found?.start, found?.end)).toBe('hello');
});

test('waits for the whole head, and returns the length of the body before it arrives', () => {
  expect(parseHead(Buffer.from(head.slice(0, -1)))).toBeUndefined();
  expect(parseHead(Buffer.from(head))?.end).toBe(head.length + 5);
});

test('detects the last response on a connection', () => {
  expect(parseHead(Buffer.from(head))?.isLast).toBe(false);
  expect(parseHead(Buffer.from(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))?.isLast).toBe(true);
});

test('reads the Retry-After of a rejected request', () => {
  const rejected = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n';
  expect(parseHead(Buffer.from(rejected))?.retryAfter).toBe(7);
  expect(parseHead(Buffer.from(head))?.retryAfter).toBeUndefined();
});

test('rejects a response without a content-length', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  expect(() => parseHead(Buffer.from(chunked))).toThrow('Not the response of a service');
});
