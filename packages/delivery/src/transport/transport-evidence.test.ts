// Risk: the evidence of an attempt is missing, belongs to another attempt, or contains a secret.
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '@finhook/testing';
import { expect, onTestFinished, test } from 'vitest';
import { asResponse, createTestTransport, requestTo } from '../../test/create-test-transport.ts';
import { startHttp, startTcp, startTls } from '../../test/loopback-server.ts';

const ms = expect.any(Number);

test('the first request has the timings of its connection, the next one reports that it was reused', async () => {
  await using server = await startHttp((_request, response) => void response.end('ok'));
  const transport = createTestTransport({ lookup: async () => ['127.0.0.1'] });
  const request = requestTo(`http://receiver.example.com:${server.port}/`);
  expect(await transport.send(request)).toMatchObject({
    remoteAddress: '127.0.0.1',
    timings: { reused: false, dnsMs: ms, connectMs: ms, tlsMs: null, firstByteMs: ms },
  });
  // A response resolves before its connection is free.
  await setImmediate();
  expect(await transport.send(request)).toMatchObject({
    remoteAddress: '127.0.0.1',
    timings: { reused: true, dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: ms },
  });
  expect(server.connections()).toBe(1);
});

test('each step is timed by itself', async () => {
  await using server = await startHttp((_request, response) => void setTimeout(() => response.end('ok'), 60));
  const slow = (address: string) => new Promise<string[]>((resolve) => setTimeout(() => resolve([address]), 40));
  const transport = createTestTransport({ lookup: () => slow('127.0.0.1') });
  const { timings, durationMs } = await transport.send(requestTo(`http://receiver.example.com:${server.port}/`));
  expect(timings?.dnsMs).toBeGreaterThanOrEqual(38);
  expect(timings?.firstByteMs).toBeGreaterThanOrEqual(58);
  expect(durationMs).toBeGreaterThanOrEqual((timings?.dnsMs ?? 0) + (timings?.firstByteMs ?? 0) - 2);
});

test('over TLS the handshake is timed, and one that fails is not', async () => {
  const certificate = makeCertificate();
  await using server = await startTls(certificate);
  const url = `https://localhost:${server.port}/`;
  const untrusted = await createTestTransport({ lookup: async () => ['127.0.0.1'] }).send(requestTo(url));
  expect(untrusted).toMatchObject({
    errorClass: 'tls',
    remoteAddress: '127.0.0.1',
    timings: { reused: null, dnsMs: ms, connectMs: ms, tlsMs: null, firstByteMs: null },
  });

  const before = getCACertificates();
  setDefaultCACertificates([certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  const trusted = createTestTransport({ lookup: async () => ['127.0.0.1'], timeoutMs: 300 });
  // The test server speaks TLS and sends no response.
  expect(await trusted.send(requestTo(url))).toMatchObject({
    errorClass: 'timeout',
    timings: { reused: false, dnsMs: ms, connectMs: ms, tlsMs: ms, firstByteMs: null },
  });
});

test('a failure has the timings of the steps that it reached', async () => {
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  const rejected = await createTestTransport().send(requestTo('http://127.0.0.1:9/'));
  expect(rejected).toMatchObject({
    errorClass: 'connect_refused',
    remoteAddress: '127.0.0.1',
    timings: { reused: null, ...none },
  });
  const lookup = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  const unknown = await createTestTransport({ lookup }).send(requestTo('http://unknown.example.com/'));
  expect(unknown).toMatchObject({ errorClass: 'dns', timings: { reused: null, ...none, dnsMs: ms } });
  expect(unknown.remoteAddress).toBeUndefined();

  await using breaking = await startTcp((socket) => socket.resetAndDestroy());
  expect(await createTestTransport().send(requestTo(breaking.origin))).toMatchObject({
    errorClass: 'reset',
    timings: { reused: false, connectMs: ms, firstByteMs: null },
  });
  await using hanging = await startTcp((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1'));
  const late = await createTestTransport({ timeoutMs: 200 }).send(requestTo(hanging.origin));
  expect(late).toMatchObject({ errorClass: 'timeout', timings: { reused: false, firstByteMs: ms } });
});

test('a blocked address is not revealed to the owner of the name', async () => {
  const transport = createTestTransport({ lookup: async () => ['10.1.2.3'], isAllowedAddress: () => false });
  const result = await transport.send(requestTo('http://internal.example.com/'));
  expect(result).toMatchObject({ errorClass: 'blocked_address' });
  expect(JSON.stringify(result)).not.toContain('10.1.2.3');
});

test('a receiver that echoes the request does not bring its owner’s header values into the evidence', async () => {
  const token = 'canary"token-7f3a';
  const long = `${'L'.repeat(900)}canary`;
  await using server = await startHttp((request, response) => {
    response.writeHead(500, { 'x-echo': String(request.headers['x-gate']), 'x-part': token });
    // The snippet ends within the long value.
    response.end(`${JSON.stringify(request.headers['x-gate'])} ${token} ${'.'.repeat(3980)}${long}`);
  });
  const request = requestTo(server.origin);
  const headers = { ...request.headers, 'x-gate': `Custom ${token}`, 'x-long': long };
  const result = asResponse(await createTestTransport().send({ ...request, headers }));
  expect(result.evidence?.requestHeaders).toEqual({ 'x-gate': '***', 'x-long': '***' });
  expect(JSON.stringify(result)).not.toMatch(/canary|token-7f3a|LLLLL/);
  expect(result.headers['x-echo']).toBe('[redacted]');
});
