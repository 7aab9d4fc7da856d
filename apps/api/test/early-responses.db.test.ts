// Risk: a client that is still sending its body loses the response that rejects it, or holds the service by sending on.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';

const run = promisify(execFile);
const MIB = 1024 ** 2;
const attempts = 10;
let fixture: ApiFixture;
let throttled: ApiFixture;
let folder: string;
let cases: Upload[];
const zippedBody = gzipSync(randomBytes(4 * MIB));

/** One upload that is rejected before its last byte. */
interface Upload {
  status: number;
  method: string;
  url: string;
  authorization: string;
  file: string;
  body: Buffer;
  contentType: string;
  encoding: string;
  lengthKnown: boolean;
}

beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  throttled = await openApiFixture(inject('pgUrl'), { rateLimits: { failedAuth: 1 } });
  folder = await mkdtemp(join(tmpdir(), 'finhook-uploads-'));
  const plain = { file: join(folder, 'plain'), body: Buffer.alloc(4 * MIB, ' '), encoding: 'identity' };
  const zipped = { file: join(folder, 'zipped'), body: zippedBody, encoding: 'gzip' };
  for (const { file, body } of [plain, zipped]) await writeFile(file, body);
  const companies = `${fixture.url}/api/v1/companies`;
  const bearer = (key: string): string => `Bearer ${key}`;
  const reader = bearer(await fixture.keyOf('read'));
  const usual = {
    ...plain,
    method: 'POST',
    url: companies,
    authorization: bearer(fixture.apiKey),
    contentType: 'application/json',
    lengthKnown: true,
  };
  cases = [
    { ...usual, status: 429, authorization: 'none', url: `${throttled.url}/api/v1/companies` },
    { ...usual, status: 413 },
    { ...usual, status: 413, lengthKnown: false },
    { ...usual, ...zipped, status: 413, lengthKnown: false },
    { ...usual, status: 401, authorization: 'none' },
    { ...usual, status: 403, authorization: reader },
    { ...usual, status: 403, authorization: reader, url: `${fixture.url}/trpc/companies.create` },
    { ...usual, status: 404, url: `${fixture.url}/nothing` },
    { ...usual, status: 405, method: 'PUT' },
    { ...usual, status: 415, contentType: 'text/plain' },
  ];
});

afterAll(async () => {
  await Promise.all([fixture.close(), throttled.close(), rm(folder, { recursive: true })]);
});

const headersOf = ({ authorization, contentType, encoding }: Upload): Record<string, string> => ({
  authorization,
  'content-type': contentType,
  'content-encoding': encoding,
});

async function fetchOnce(upload: Upload): Promise<string> {
  const { url, method, body, lengthKnown } = upload;
  const sent = lengthKnown ? { body } : { body: new Blob([body]).stream(), duplex: 'half' as const };
  const response = await fetch(url, { method, headers: headersOf(upload), ...sent });
  await response.text();
  return String(response.status);
}

async function curlOnce(upload: Upload): Promise<string> {
  const { url, method, file, lengthKnown } = upload;
  const headers = Object.entries({ ...headersOf(upload), ...(lengthKnown ? {} : { 'transfer-encoding': 'chunked' }) });
  const args = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-X', method, '--data-binary', `@${file}`, url];
  return (await run('curl', [...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]), ...args])).stdout;
}

const repeated = (send: (upload: Upload) => Promise<string>) => async (uploads: readonly Upload[]) => {
  const outcomes: string[] = [];
  for (const upload of uploads) {
    for (let i = 0; i < attempts; i++) outcomes.push(await send(upload).catch(String));
  }
  return outcomes;
};

/** A program of the folder `clients`, which takes all uploads as arguments. */
const program =
  (file: string, ...parameters: string[]) =>
  async (uploads: readonly Upload[]) => {
    const args = uploads.flatMap((upload) => {
      const { method, url, authorization, contentType, encoding, lengthKnown } = upload;
      return [method, url, authorization, upload.file, contentType, encoding, String(lengthKnown)];
    });
    const { stdout } = await run(file, [...parameters, ...args], { cwd: join(import.meta.dirname, 'clients') });
    return stdout.trim().split('\n');
  };

const clients = [
  { name: 'fetch of Node', tool: [process.execPath, '--version'], send: repeated(fetchOnce) },
  { name: 'curl', tool: ['curl', '--version'], send: repeated(curlOnce) },
  { name: 'http.client of Python', tool: ['python3', '--version'], send: program('python3', 'upload.py') },
  { name: 'HttpClient of Java', tool: ['java', '-version'], send: program('java', 'Upload.java') },
  { name: 'net/http of Go', tool: ['go', 'version'], send: program('go', 'run', 'upload.go') },
] as const;

/** Sends a body byte by byte until the response is there, and then as fast as it can until the connection ends. */
async function sendForever(head: string): Promise<{ response: string; bytesAfter: number }> {
  const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
  let response = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    response += part;
  });
  // It is reset at last.
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
] as const)(
  'S-1: D-4: a body without end gets %s while it is sent, and is cut off: %s',
  async (status, path, scope) => {
    const key = scope === 'human' ? fixture.apiKey : scope === 'read' ? await fixture.keyOf('read') : 'sk_live_none';
    const { response, bytesAfter } = await sendForever(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    expect(response.toLowerCase()).toMatch(new RegExp(`^http/1\\.1 ${status} .*connection: close\r\n`, 's'));
    expect(bytesAfter).toBeLessThan(64 * MIB);
  },
);

test.each(['identity', 'gzip'])('D-4: a client may go away while the rest is discarded (%s)', async (encoding) => {
  const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
  const body = encoding === 'gzip' ? zippedBody : Buffer.alloc(4 * MIB, ' ');
  socket.write(
    `POST /api/v1/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.apiKey}\r\nContent-Encoding: ${encoding}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body);
  const [response] = await once(socket, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
  const isLogged = (line: string): boolean => line.includes('"cut_off":true') && line.includes('"status":413');
  await expect.poll(() => fixture.logLines.filter(isLogged).length).toBeGreaterThan(0);
  fixture.logLines.length = 0;
  expect((await fetch(`${fixture.url}/healthz`)).status).toBe(200);
});

describe('D-4: a response that rejects an upload arrives ten times of ten', () => {
  test.for(clients)('in $name', { timeout: 120_000 }, async ({ name, tool: [tool, option], send }, { skip }) => {
    await run(tool, [option]).catch(() => {
      process.stderr.write(`\nWARNING: ${tool} is not installed: the responses to ${name} are NOT tested.\n`);
      skip(`${tool} is not installed`);
    });
    const nameOf = ({ status, method, url, lengthKnown, encoding }: Upload): string =>
      `${status} ${method} ${new URL(url).pathname} ${encoding} ${lengthKnown ? '' : 'chunked'}`;
    // The throttle forgets a failure after a minute.
    await fetch(`${throttled.url}/api/v1/me`);
    const outcomes = await send(cases);
    const received = cases.map((upload, i) => [nameOf(upload), outcomes.slice(i * attempts, (i + 1) * attempts)]);
    expect(received).toEqual(cases.map((upload) => [nameOf(upload), Array(attempts).fill(String(upload.status))]));
  });
});
