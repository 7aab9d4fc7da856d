// Risk: a client that is still sending its body loses the response that rejects it, or blocks the service by sending on.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { headersOf, plainBody, repeated, type Upload, useUploads, zippedBody } from './uploads.ts';

const MIB = 1024 ** 2;
const { api, expectAllReceived } = useUploads();

async function fetchOnce(upload: Upload): Promise<string> {
  const { url, method, body, lengthKnown } = upload;
  const sent = lengthKnown ? { body } : { body: new Blob([body]).stream(), duplex: 'half' as const };
  const response = await fetch(url, { method, headers: headersOf(upload), ...sent });
  await response.text();
  return String(response.status);
}

/** Sends a body byte by byte until the response is there, and then as fast as it can until the connection ends. */
async function sendForever(head: string): Promise<{ response: string; bytesAfter: number }> {
  const socket = connect(Number(new URL(api().url).port), '127.0.0.1');
  let response = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    response += part;
  });
  // The connection is reset at the end.
  socket.on('error', () => undefined);
  socket.write(head);
  const drip = setInterval(() => socket.write('1\r\n \r\n'), 10);
  await expect.poll(() => response).toMatch(/\r\n\r\n[[{].*[}\]]$/);
  clearInterval(drip);
  let bytesAfter = 0;
  while (!socket.destroyed) {
    await new Promise((resolve) => socket.write(`100000\r\n${' '.repeat(MIB)}\r\n`, resolve));
    bytesAfter += MIB;
  }
  return { response, bytesAfter };
}

test.each([
  ['401', '/api/v1/companies', 'none'],
  ['401', '/trpc/companies.create', 'none'],
  ['403', '/api/v1/companies', 'read'],
  ['403', '/trpc/companies.create', 'read'],
  ['403', '/trpc/companies.create,companies.update?batch=1', 'read'],
  ['405', '/trpc/me.get', 'human'],
  ['404', '/trpc/companies.creat', 'human'],
] as const)('a body without end gets %s during the upload, and is then cut off: %s', async (status, path, scope) => {
  const key = scope === 'human' ? api().apiKey : scope === 'read' ? await api().keyOf('read') : 'sk_live_none';
  const { response, bytesAfter } = await sendForever(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  expect(response.toLowerCase()).toMatch(new RegExp(`^http/1\\.1 ${status} .*connection: close\r\n`, 's'));
  expect(bytesAfter).toBeLessThan(64 * MIB);
});

test.each(['identity', 'gzip'])('a client can disconnect while the rest is discarded (%s)', async (encoding) => {
  const socket = connect(Number(new URL(api().url).port), '127.0.0.1');
  const body = encoding === 'gzip' ? zippedBody : plainBody;
  socket.write(
    `POST /api/v1/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api().apiKey}\r\nContent-Encoding: ${encoding}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body);
  const [response] = await once(socket, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
  const isLogged = (line: string): boolean => line.includes('"cut_off":true') && line.includes('"status":413');
  await expect.poll(() => api().logLines.filter(isLogged).length).toBeGreaterThan(0);
  api().logLines.length = 0;
  expect((await fetch(`${api().url}/healthz`)).status).toBe(200);
});

// curl, and more attempts, are in early-responses.load.test.ts.
test('a response that rejects an upload arrives three times of three in fetch of Node', () =>
  expectAllReceived(repeated(fetchOnce, 3), 3));
