// Risk: a trace header joins unrelated traces, a valid one is dropped, or lost traces are not reported.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTracing, formatTraceparent, parseTraceparent } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  ['sampled', `00-${traceId}-${spanId}-01`, 1],
  ['not sampled', `00-${traceId}-${spanId}-00`, 0],
  ['flags of later versions', `00-${traceId}-${spanId}-03`, 1],
  ['a later version', `cc-${traceId}-${spanId}-01`, 1],
  ['a later version with more', `cc-${traceId}-${spanId}-01-what-will-be`, 1],
  ['white space around it', ` 00-${traceId}-${spanId}-01 `, 1],
])('goes on with: %s', (_what, text, traceFlags) => {
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
});

test.each([
  ['none', undefined],
  ['empty', ''],
  ['two headers', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['more than version 00 has', `00-${traceId}-${spanId}-01-what`],
  ['the forbidden version', `ff-${traceId}-${spanId}-01`],
  ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['too short', `00-${traceId.slice(1)}-${spanId}-01`],
  ['SQL', `00-${traceId}-${spanId}-01'); DROP TABLE event; --`],
])('begins a new trace: %s', (_what, text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});

test('what it formats it reads again', () => {
  for (const traceFlags of [0, 1]) {
    const text = formatTraceparent({ traceId, spanId, traceFlags });
    expect(text).toMatch(/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-0[01]$/);
    expect(parseTraceparent(text)).toMatchObject({ traceId, spanId, traceFlags });
  }
});

const span = { name: 'x', kind: 'server', parent: undefined, attributes: {} } as const;

/** A collector with this response, its requests and their bodies. */
async function collector(
  status: number,
): Promise<{ url: string; asked: unknown[]; bodies: string[] } & AsyncDisposable> {
  const asked: unknown[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    void readText(request).then((body) => {
      bodies.push(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { url, asked, bodies, [Symbol.asyncDispose]: async () => void server.close() };
}

test('spans that the collector rejects are reported at most once a minute', async () => {
  await using refusing = await collector(400);
  const told: unknown[] = [];
  const options = { endpoint: refusing.url, serviceName: 'test', sampleRatio: 1, exportEveryMs: 10 };
  const tracing = await createTracing({ ...options, onLost: (error) => void told.push(error) });
  for (let sent = 1; sent <= 2; sent++) {
    tracing?.start(span).end({});
    await expect.poll(() => refusing.asked.length).toBe(sent);
  }
  await tracing?.close();
  expect(told).toEqual([expect.any(Error)]);
});

test.each(['', '/', '/v1/traces', '/v1/traces/'])('an address that ends in "%s" gets the path once', async (end) => {
  await using taking = await collector(200);
  const endpoint = `${taking.url}/otlp${end}`;
  const tracing = await createTracing({ endpoint, serviceName: 'test', sampleRatio: 1, onLost: () => undefined });
  tracing?.start(span).end({});
  await tracing?.close();
  expect(taking.asked).toEqual(['/otlp/v1/traces']);
});

test.each(['eu', undefined])('spans say that they are of the cell %s', async (cell) => {
  await using taking = await collector(200);
  const options = { endpoint: taking.url, serviceName: 'test', sampleRatio: 1, onLost: () => undefined };
  const tracing = await createTracing({ ...options, cell });
  tracing?.start(span).end({});
  await tracing?.close();
  await expect.poll(() => taking.bodies).toHaveLength(1);
  const attributes = JSON.parse(taking.bodies.join('')).resourceSpans[0].resource.attributes;
  const named = attributes.filter(({ key }: { key: string }) => key === 'finhook.cell');
  expect(named).toEqual(cell === undefined ? [] : [{ key: 'finhook.cell', value: { stringValue: cell } }]);
});
