// Risk: a body crashes the process, or costs far more time and memory than its size.

import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { type ApiResponse, type SendOptions } from './api-client.ts';
import { useApi } from './api-fixture.ts';

const LIMIT = 2 * 1024 * 1024;
const fixture = useApi();

const post = (options: SendOptions): Promise<ApiResponse> => fixture.client.send('POST', '/api/v1/companies', options);
const zipped = (text: string | Buffer, headers: Record<string, string> = {}): SendOptions => ({
  raw: gzipSync(text),
  headers: { 'content-encoding': 'gzip', ...headers },
});

async function alive(): Promise<void> {
  expect((await fixture.client.rest(operations.me.get)).status).toBe(200);
}

test.each([
  ['opening brackets', '['.repeat(LIMIT)],
  ['opening objects', '{"a":'.repeat(LIMIT / 5)],
  ['closed brackets', '['.repeat(LIMIT / 2) + ']'.repeat(LIMIT / 2)],
])('2 MiB of %s are rejected unparsed, and the process survives', async (_name, raw) => {
  const { status, problem } = await post({ raw });
  expect([status, problem.code, problem.limit_values]).toEqual([413, 'body_too_large', 50_000]);
  await alive();
});

test('32 levels of nesting are accepted, 33 are rejected', async () => {
  const nested = (levels: number): string =>
    `{"name":"Deep","extra":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  expect((await post({ raw: nested(32) })).status).toBe(201);
  const rejected = await post({ raw: nested(33) });
  expect([rejected.status, rejected.problem.code]).toEqual([400, 'malformed_json']);
  expect(rejected.problem.detail).toContain('32');
});

test('a gzip body is read, exactly up to the limit, over both protocols', async () => {
  expect((await post(zipped('{"name":"Zipped"}'))).body).toMatchObject({ name: 'Zipped' });
  const padded = (size: number): string => `{"name":"Padded"${' '.repeat(size - 17)}}`;
  expect((await post(zipped(padded(LIMIT)))).status).toBe(201);
  expect((await post(zipped(padded(LIMIT + 1)))).status).toBe(413);
  expect((await post({ raw: padded(LIMIT) })).status).toBe(201);
  expect((await post({ raw: padded(LIMIT + 1) })).status).toBe(413);
  const trpc = await fixture.client.trpc(operations.companies.create, {}, zipped('{"name":"Zipped"}'));
  expect([trpc.status, trpc.body.name]).toEqual([200, 'Zipped']);
});

test('an object with more names than a request can use is rejected unparsed, over REST, tRPC and MCP', async () => {
  const { client } = fixture;
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`amount_cents${i}`, i]));
  const row = { name: 'Wide', ...names(45_000) };
  const rpc = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'companies_list', arguments: names(201) },
  };
  const rejected = [
    await post(zipped(JSON.stringify(row))),
    await client.trpc(operations.companies.create, {}, zipped(JSON.stringify(row))),
    await client.trpc(operations.companies.list, names(201)),
    await client.send('POST', '/mcp', { body: rpc, headers: { accept: 'application/json, text/event-stream' } }),
    await post({ raw: JSON.stringify({ name: 'x', metadata: names(1_001) }) }),
  ];
  expect(rejected.map(({ status, problem }) => [status, problem.code, problem['limit_names']])).toEqual([
    ...[1, 2, 3, 4].map(() => [413, 'body_too_large', 200]),
    [413, 'body_too_large', 1_000],
  ]);
  const ignored = await post({ raw: JSON.stringify({ name: 'Two hundred', ...names(199) }) });
  expect([ignored.status, ignored.text.includes('unknown_field')]).toEqual([201, true]);
});

test('a small body with a long key and many faults gets a small response, and the process survives', async () => {
  const under = (items: readonly string[]): SendOptions => zipped(`{"${'k'.repeat(1_000_000)}":[${items.join()}]}`);
  const repeated = under(Array(12_000).fill('{"a":1,"a":1}'));
  const inexact = { raw: `{"name":"x","metadata":{"${'k'.repeat(500_000)}":[${Array(200).fill('1e999').join()}]}}` };
  for (const [options, status] of [
    [repeated, 400],
    [inexact, 422],
  ] as const) {
    const responses = [await post(options), await fixture.client.send('POST', '/trpc/companies.create', options)];
    expect(responses.map((response) => response.status)).toEqual([status, status]);
    expect(Math.max(...responses.map(({ text }) => text.length))).toBeLessThan(100_000);
  }
  await alive();
});

test('a client that disconnects during its body stores nothing and holds no slot', async () => {
  for (const encoding of ['identity', 'gzip']) {
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
    const part = encoding === 'gzip' ? gzipSync(Buffer.alloc(1000, 1)).subarray(0, 15) : Buffer.from('{"name":');
    await new Promise<void>((resolve) => {
      socket.write(
        `POST /api/v1/companies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.apiKey}\r\nContent-Encoding: ${encoding}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
      );
      socket.write(part, () => resolve());
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
  }
  await alive();
  const errors = fixture.logLines.filter((line) => line.includes('"level":"error"'));
  expect(errors).toEqual([]);
});

test('the signature of the largest event can be verified, over REST and tRPC', async () => {
  const { client } = fixture;
  const { body: endpoint } = await client.rest(operations.webhookEndpoints.create, {
    url: 'http://127.0.0.1:9/largest',
    events: ['bank.transaction.posted'],
  });
  // Each quote takes two bytes in the post and in the event, and four in the body of the verification.
  const transactions = Array.from({ length: 500 }, (_, n) => ({
    external_id: `largest-${n}`,
    posted_at: '2026-01-10T00:00:00Z',
    connection_id: 'operating',
    amount_cents: 1,
    description: '"'.repeat(1_900),
  }));
  const posted = await client.rest(operations.bank.transactions.ingest, {
    company_id: fixture.companyId,
    transactions,
  });
  expect(posted.status, posted.text.slice(0, 500)).toBeLessThan(300);
  const [event] = await fixture.elsewhere.database.query<{ body: string }>(
    "SELECT body FROM event WHERE type = 'bank.transaction.posted' ORDER BY id DESC LIMIT 1",
  );
  const body = event?.body ?? '';
  expect(Buffer.byteLength(body)).toBeGreaterThan(1_900_000);
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', endpoint['secret']).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'x-service-signature': `t=${seconds},v1=${signature}` };
  const input = { endpoint_id: endpoint['id'], headers, body };
  for (const protocol of ['rest', 'trpc'] as const) {
    const checked = await client[protocol](operations.webhookEndpoints.verifySignature, input);
    expect(checked.body).toMatchObject({ valid: true });
  }
  const other = await post({ raw: `{"name":"${'x'.repeat(LIMIT)}"}` });
  expect([other.status, other.problem.code]).toEqual([413, 'body_too_large']);
});
