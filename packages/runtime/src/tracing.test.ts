// Risk: traces are lost for weeks because the collector's address is wrong, and nothing says so.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createTracing } from './tracing.ts';

const span = { name: 'x', kind: 'server', parent: undefined, attributes: {} } as const;

/** A collector that responds so, and what it was asked for. */
async function collector(status: number): Promise<{ url: string; asked: unknown[] } & AsyncDisposable> {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { url, asked, [Symbol.asyncDispose]: async () => void server.close() };
}

test('spans that the collector rejects are reported at most once a minute', async () => {
  await using rejecting = await collector(400);
  const told: unknown[] = [];
  const options = { endpoint: rejecting.url, serviceName: 'test', sampleRatio: 1 };
  const tracing = await createTracing({ ...options, onLost: (error) => void told.push(error) });
  for (let sent = 1; sent <= 2; sent++) {
    tracing?.start(span).end({});
    await expect.poll(() => rejecting.asked.length, { timeout: 5_000 }).toBe(sent);
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
