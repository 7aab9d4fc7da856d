// Risk: a request that never becomes one is answered in another way than all others, or holds on to the service.
import { operations } from '@finhook/contracts';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Problem } from '../src/http/problem.ts';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';
import { exchange } from './exchange.ts';

let fixture: ApiFixture;
beforeEach(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
});
afterEach(() => fixture.close());

/** The only answer in a text that came over a connection, which ended with it. */
function readAnswer(text: string): { status: number; headers: Headers; problem: Problem } {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.replace(/^.*?: /, '')]),
  );
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
  return { status: Number(first.split(' ')[1]), headers, problem: JSON.parse(body) };
}

function expectProblem(text: string, status: number, code: string): void {
  const { status: told, headers, problem } = readAnswer(text);
  expect([told, problem.status, problem.code]).toEqual([status, status, code]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  });
  expect(problem.request_id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(headers.get('x-request-id')).toBe(problem.request_id);
  expect(fixture.logLines.filter((line) => line.includes(problem.request_id))).not.toEqual([]);
}

test('D5: D7: what the parser of HTTP refuses is a problem document with a request id, as every other refusal', async () => {
  const { url } = fixture;
  const long = 'x'.repeat(20_000);
  expectProblem(
    await exchange(url, `GET /api/v1/companies?q=${long} HTTP/1.1\r\nHost: x\r\n\r\n`),
    431,
    'headers_too_large',
  );
  expectProblem(
    await exchange(url, `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nCookie: ${long}\r\n\r\n`),
    431,
    'headers_too_large',
  );
  expectProblem(await exchange(url, 'No HTTP at all\r\n\r\n'), 400, 'malformed_body');
  expect((await fixture.client.rest(operations.me.get)).status).toBe(200);
});

test('what cannot be read behind an answered request is refused by itself', async () => {
  const get = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.apiKey}\r\n\r\n`;
  const text = await exchange(fixture.url, get, 'No HTTP at all\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expectProblem(text.slice(text.indexOf('HTTP/1.1 400')), 400, 'malformed_body');
});
