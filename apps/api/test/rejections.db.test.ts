// Risk: a rejection differs between the protocols, or is missing in the OpenAPI document.

import { errorPage, errors, type HttpMethod, type Operation, operationList, operations } from '@finhook/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, type SendOptions, toRestRequest } from './api-client.ts';
import { countRows, pathNames, useApi } from './api-fixture.ts';
import { compileOpenApi, type OpenApiSchemas } from './open-api-schemas.ts';
import { anonymousProblem, inputFor, shapes } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';

const BODY_LIMIT = 64 * 1024;
const fixture = useApi({ bodyLimit: BODY_LIMIT });
let seed: Seed;
let schemas: OpenApiSchemas;
let readKey: string;

beforeAll(async () => {
  schemas = compileOpenApi((await fixture.client.send<object>('GET', '/api/v1/openapi.json')).body);
  seed = await seedTenant(fixture);
  readKey = await fixture.keyOf('read');
});

const withBody = shapes.filter(({ http }) => http.method !== 'GET' && http.method !== 'DELETE');
const withPath = shapes.filter((operation) => pathNames(operation).length > 0);
const withQuery = shapes.filter(({ http }) => http.method === 'GET');

function expectProblem(operation: Operation, response: ApiResponse, status: number, code: keyof typeof errors): void {
  const { problem } = response;
  expect([response.status, problem.code], response.text).toEqual([status, code]);
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const { path, method } = operation.http;
  expect(schemas.errorsOf({ path, method, status, type: 'application/problem+json' }, problem)).toBeUndefined();
  expect(problem).toMatchObject({
    type: errorPage(code),
    title: errors[code].title,
    status,
    retryable: errors[code].retryable === true,
    request_id: response.headers['x-request-id'],
  });
  expect(problem.detail).toMatch(/^[A-Z/].{10,}[.…]$/s);
}

/** Asserts the same rejection over both protocols; returns that of REST. */
async function rejectedAlike(
  operation: Operation,
  input: Record<string, unknown>,
  options: SendOptions,
): Promise<ApiResponse> {
  const rest = await fixture.client.rest(operation, input, options);
  const trpc = await fixture.client.trpc(operation, input, options);
  expect(trpc.status).toBe(rest.status);
  expect(anonymousProblem(trpc)).toEqual(anonymousProblem(rest));
  expect(trpc.problem.request_id).toBe(trpc.headers['x-request-id']);
  expect(trpc.problem.instance).toBe(`/trpc/${operation.id}`);
  for (const name of ['www-authenticate', 'retry-after', 'allow']) expect(trpc.headers[name]).toBe(rest.headers[name]);
  return rest;
}

describe.each(shapes)('$id', (operation) => {
  test('401 without a key', async () => {
    const response = await rejectedAlike(operation, inputFor(operation, seed), { key: null });
    expectProblem(operation, response, 401, 'missing_credentials');
    expect(response.headers['www-authenticate']).toBe('Bearer realm="finhook"');
  });

  test('405 with Allow for a method that its path does not know', async () => {
    const { target } = toRestRequest(operation, inputFor(operation, seed));
    const path = target.split('?', 1)[0] ?? '';
    const known = new Set<string>(
      operationList
        .flatMap(({ http }) => [http, ...(http.aliases ?? [])])
        .filter((route) => shapeOf(route.path) === shapeOf(operation.http.path))
        .map(({ method }) => method),
    );
    if (known.has('GET')) known.add('HEAD');
    known.add('OPTIONS');
    const methods: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    for (const method of methods.filter((name) => !known.has(name))) {
      const response = await fixture.client.send(method, path);
      expect([response.status, response.problem.code]).toEqual([405, 'method_not_allowed']);
      expect(response.headers['allow']).toBe([...known].sort().join(', '));
    }
    const wrongWay = operation.http.method === 'GET' ? 'POST' : 'GET';
    const trpc = await fixture.client.send(wrongWay, `/trpc/${operation.id}`, wrongWay === 'POST' ? { body: {} } : {});
    expect(trpc.status).toBe(405);
    expect(trpc.headers['allow']).toBe(operation.http.method === 'GET' ? 'GET' : 'POST');
    expect(trpc.text).toContain('"code":"method_not_allowed"');
    expect(trpc.text).toContain(`"request_id":"${String(trpc.headers['x-request-id'])}"`);
  });

  test('400 for an unknown or repeated query parameter', async () => {
    const { target, body } = toRestRequest(operation, inputFor(operation, seed));
    for (const query of ['surprise=1', '__proto__=1', 'Limit=5']) {
      const sent = `${target}${target.includes('?') ? '&' : '?'}${query}`;
      const response = await fixture.client.send(operation.http.method, sent, body === undefined ? {} : { body });
      expectProblem(operation, response, 400, 'unknown_parameter');
    }
    if (!target.includes('?') && operation.http.method !== 'GET') return;
    const twice = await fixture.client.send(operation.http.method, `${target}?limit=5&limit=6`, body ? { body } : {});
    expectProblem(operation, twice, 400, 'unknown_parameter');
  });
});

const notForReading = shapes.filter(({ scopes }) => !scopes.includes('read'));

test.each(notForReading)('$id: 403 with the scopes that a key needs', async (operation) => {
  const response = await rejectedAlike(operation, inputFor(operation, seed), { key: readKey });
  expectProblem(operation, response, 403, 'insufficient_scope');
  expect(response.problem).toMatchObject({ scope: 'read', required: operation.scopes });
  const challenge = `Bearer realm="finhook", error="insufficient_scope", scope="${operation.scopes.join(' ')}"`;
  expect(response.headers['www-authenticate']).toBe(challenge);
});

test.each(withQuery)('$id: 400 for an unknown field of a query over tRPC', async (operation) => {
  for (const stray of ['{"surprise":1', '{"__proto__":1', '{"format":"csv"']) {
    const input = `${stray},${JSON.stringify(inputFor(operation, seed)).slice(1)}`.replace(/,}$/, '}');
    const response = await fixture.client.send('GET', `/trpc/${operation.id}?input=${encodeURIComponent(input)}`);
    expect(response.status).toBe(400);
    expect(response.text).toContain('"code":"unknown_parameter"');
  }
});

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

describe.each(withPath)('$id', (operation) => {
  test('ids of any form that are not known are 404', async () => {
    for (const form of ['x', '%00', 'co_%00', '..%2F..', '%F0%9F%92%B8', "'%20OR%201=1--", 'a'.repeat(300)]) {
      const input = Object.fromEntries(pathNames(operation).map((name) => [name, 'FORM']));
      const { target } = toRestRequest(operation, input);
      const body =
        operation.http.method === 'GET' || operation.http.method === 'DELETE' ? {} : { body: operation.example };
      const response = await fixture.client.send(operation.http.method, target.replaceAll('FORM', form), body);
      expect([form, response.status], response.text).toEqual([form, 404]);
    }
  });
});

describe.each(withBody)('$id', (operation) => {
  const post = (options: SendOptions): Promise<ApiResponse> => {
    const { target } = toRestRequest(operation, inputFor(operation, seed));
    return fixture.client.send(operation.http.method, target, options);
  };

  test('400 for a body that is not JSON, not UTF-8, or has a duplicate key', async () => {
    expectProblem(operation, await post({ raw: '{"a":' }), 400, 'malformed_json');
    expectProblem(operation, await post({ raw: '{"a":1,"b":{"c":1,"\\u0063":2}}' }), 400, 'duplicate_json_key');
    expectProblem(operation, await post({ raw: Uint8Array.of(0x22, 0xff, 0x22) }), 400, 'malformed_body');
    for (const raw of ['{"a":', '{"a":1,"a":1}']) {
      const trpc = await fixture.client.trpc(operation, {}, { raw });
      expect([trpc.status, trpc.problem.code]).toEqual([400, raw.length > 6 ? 'duplicate_json_key' : 'malformed_json']);
      expect(trpc.problem.request_id).toBe(trpc.headers['x-request-id']);
    }
  });

  test('415 for a content type that is not JSON in UTF-8', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await rejectedAlike(operation, inputFor(operation, seed), {
        raw: '{}',
        headers: { 'content-type': type },
      });
      expectProblem(operation, response, 415, 'unsupported_media_type');
    }
    expectProblem(
      operation,
      await post({ raw: '{}', headers: { 'content-encoding': 'br' } }),
      415,
      'unsupported_media_type',
    );
  });

  test('413 with limit_bytes for a body over the limit', async () => {
    const limit = operation.bodyLimit ?? BODY_LIMIT;
    const raw = `{"a":"${'x'.repeat(limit)}"}`;
    const exact = await rejectedAlike(operation, inputFor(operation, seed), { raw });
    expectProblem(operation, exact, 413, 'body_too_large');
    expect(exact.problem['limit_bytes']).toBe(limit);
  });

  test('422 for a body that is not an object or has a field of a wrong type', async () => {
    for (const raw of ['[]', '"text"', '5', 'null']) {
      const response = await post({ raw });
      expectProblem(operation, response, 422, 'validation_failed');
      expect(response.problem.errors).toEqual([
        { pointer: '', code: 'invalid_type', message: expect.stringContaining('must be a JSON object') },
      ]);
    }
    const [field] = Object.keys(operation.example);
    if (field === undefined) return;
    const response = await rejectedAlike(operation, { ...inputFor(operation, seed), [field]: { a: 1 } }, {});
    expectProblem(operation, response, 422, 'validation_failed');
    expect(response.problem.errors?.[0]?.pointer).toMatch(new RegExp(`^/${field}`));
  });
});

test('404 for a path and a procedure that do not exist, with the same kind of document', async () => {
  const rest = await fixture.client.send('GET', '/api/v1/nothing');
  expect([rest.status, rest.problem.code]).toEqual([404, 'not_found']);
  const trpc = await fixture.client.send('GET', '/trpc/nothing.here');
  expect(trpc.status).toBe(404);
  expect(trpc.text).toContain('"code":"not_found"');
  expect(trpc.text).toContain(`"request_id":"${String(trpc.headers['x-request-id'])}"`);
});

test('404 and 405 do not depend on the body', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  for (const body of [{ raw: '' }, { raw: '{' }, { raw: 'x', headers: gzip }, { raw: 'x'.repeat(2 * BODY_LIMIT) }]) {
    expect((await fixture.client.send('DELETE', '/api/v1/companies', body)).status).toBe(405);
    expect((await fixture.client.send('POST', '/api/v1/nothing', body)).status).toBe(404);
  }
});

test('a path that cannot be decoded is 404 in a problem document with a request id', async () => {
  const response = await fixture.client.send('GET', '/api/v1/companies/%E0%A4%A');
  expect([response.status, response.problem.code]).toEqual([404, 'not_found']);
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(response.problem.request_id).toBe(response.headers['x-request-id']);
  expect(response.headers['x-content-type-options']).toBe('nosniff');
});

test('a query input that is not JSON is a client error', async () => {
  for (const input of ['{', '%7B%22a%22:1,%22a%22:2%7D']) {
    const response = await fixture.client.send('GET', `/trpc/me.get?input=${input}`);
    expect(response.status, response.text).toBe(400);
    expect(response.text).toMatch(/"code":"(malformed_json|duplicate_json_key)"/);
  }
});

test('the type of a problem is the address of a page about it', async () => {
  const { problem } = await fixture.client.send('GET', '/api/v1/companies', { key: null });
  const page = await fetch(new URL(problem.type, `${fixture.url}/api/v1/companies`));
  expect(await page.text()).toContain(errors.missing_credentials.title);
});

test.each([
  [operations.webhookEndpoints.test, { type: 'bank.transaction.posted' }, '/type', 'event'],
  [operations.webhookEndpoints.replay, { since: '2026-01-01T00:00:00Z', type: ['x'] }, '/type', 'types'],
  [operations.webhookEndpoints.recover, { since: '2026-01-01T00:00:00Z', until: null }, '/until', 'since'],
  [operations.events.redeliver, { endpoint: 'we_1' }, '/endpoint', 'endpoint_id'],
])('$id rejects an unknown body field, and names the known ones', async (operation, body, pointer, field) => {
  const sent = await countRows(fixture, 'delivery');
  const response = await rejectedAlike(operation, { ...inputFor(operation, seed), ...body }, {});
  expect([response.status, response.problem.code]).toEqual([422, 'validation_failed']);
  expect(response.problem.errors).toEqual([
    {
      pointer,
      code: 'unknown_field',
      message: expect.stringMatching(new RegExp(`takes (?:.*, )?${field}(?:,.*)?;`)),
    },
  ]);
  expect(await countRows(fixture, 'delivery')).toBe(sent);
});
