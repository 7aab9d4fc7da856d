// Risk: REST and tRPC respond differently to one operation, a repeated request has its effect twice, or a response is not
// what tRPC's clients expect.

import { type Operation, operationList, operations } from '@finhook/contracts';
import { createTRPCClient, httpBatchStreamLink, TRPCClientError } from '@trpc/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AppRouter } from '../src/trpc/app-router.ts';
import type { ApiResponse, Input, SendOptions } from './api-client.ts';
import { type Tenant, useApi } from './api-fixture.ts';
import { expectProtectedResponse, featuresOf, inputFor, normalize, shapes } from './operation-walk.ts';
import { seedTenant } from './seed-tenant.ts';

const protocols = ['rest', 'trpc'] as const;
type Protocol = (typeof protocols)[number];

/** An account whose records only one protocol changes. */
interface Side {
  tenant: Tenant;
  inputOf: (operation: Operation) => Input;
}

const fixture = useApi();
const sides = new Map<Protocol, Side>();
/** A page of another site sends this with each request. */
const origin = 'https://evil.example';

beforeAll(async () => {
  // Two accounts with the same content; each protocol changes its own.
  for (const protocol of protocols) {
    const tenant = await fixture.openTenant('Twin');
    const seed = await seedTenant(tenant);
    sides.set(protocol, { tenant, inputOf: (operation) => inputFor(operation, seed) });
  }
});

function sideOf(protocol: Protocol): Side {
  const side = sides.get(protocol);
  if (!side) throw new Error(`There is no account of ${protocol}.`);
  return side;
}

async function countEffects(): Promise<number> {
  const tables = ['event', 'audit_log', 'delivery', 'due'].map((table) => `(SELECT count(*) FROM ${table})`);
  const [row] = await fixture.elsewhere.database.query<{ rows: number }>(`SELECT (${tables.join('+')})::int AS rows`);
  return row?.rows ?? 0;
}

const codesOf = (responses: ApiResponse[]) => responses.map(({ status, problem }) => [status, problem.code]);

test('the tested shapes have every property by which the protocols distinguish operations', () => {
  const tested = new Set(shapes.flatMap(featuresOf));
  const others = operationList.map((operation) => [
    operation.id,
    featuresOf(operation).filter((one) => !tested.has(one)),
  ]);
  expect(others.filter(([, features]) => features?.length !== 0)).toEqual([]);
});

describe.each(shapes)('$id', (operation) => {
  const first = new Map<Protocol, ApiResponse>();
  const send = (protocol: Protocol, options: SendOptions, more: Input = {}) => {
    const { tenant, inputOf } = sideOf(protocol);
    return tenant.client[protocol](operation, { ...inputOf(operation), ...more }, options);
  };
  const withKey = (key: string): SendOptions => ({ headers: { origin, 'idempotency-key': key } });
  const ownKey = operation.kind === 'mutation' ? withKey(operation.id.padEnd(255, '~')) : { headers: { origin } };

  test('returns the same over both protocols, in a response that is not stored, runs no script and allows no other origin', async () => {
    for (const protocol of protocols) first.set(protocol, await send(protocol, ownKey));
    const [rest, trpc] = [first.get('rest'), first.get('trpc')];
    expect([trpc?.status, trpc?.text], trpc?.text).toEqual([200, expect.any(String)]);
    expect(normalize(rest?.body)).toEqual(normalize(trpc?.body));
    if (rest) expectProtectedResponse('rest', rest, operation.etag);
    if (trpc) expectProtectedResponse('trpc', trpc);
    const rejected = await send('rest', { key: null, headers: { origin } });
    expect(rejected.status).toBe(401);
    expectProtectedResponse('401', rejected);
  });

  if (operation.kind === 'query') return;
  test.each(protocols)(
    'over %s a replay returns the same bytes, another request with the key is 422, an invalid key 400, all without effect',
    async (protocol) => {
      const made = first.get(protocol);
      const before = await countEffects();
      expect(made?.headers['idempotency-replayed']).toBeUndefined();
      for (const replay of [await send(protocol, ownKey), await send(protocol, ownKey)]) {
        expect([replay.status, replay.text]).toEqual([made?.status, made?.text]);
        expect(replay.headers['idempotency-replayed']).toBe('true');
        expectProtectedResponse('replay', replay);
      }
      const { create } = operations.agents;
      const reused: ApiResponse[] = [await sideOf(protocol).tenant.client[protocol](create, create.example, ownKey)];
      // A DELETE has no body, and a strict input rejects unknown fields.
      const other = { ...sideOf(protocol).inputOf(operation), note: 'other' };
      if (operation.http.method !== 'DELETE' && operation.input.safeParse(other).success)
        reused.push(await send(protocol, ownKey, other));
      expect(codesOf(reused)).toEqual(reused.map(() => [422, 'idempotency_key_reuse']));
      const invalid = ['', 'a b', 'x'.repeat(256), Buffer.from('kéy', 'utf8').toString('latin1')];
      const rejected: ApiResponse[] = [];
      for (const key of invalid) rejected.push(await send(protocol, withKey(key)));
      expect(codesOf(rejected)).toEqual(invalid.map(() => [400, 'invalid_idempotency_key']));
      expect(await countEffects()).toBe(before);
    },
  );
});

test('aliases of a list and of a change call the same operations', async () => {
  const { client } = fixture;
  const { deliveries, apiKeys, webhookEndpoints } = operations;
  const endpoint_id = (await client.rest(webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })).body.id;
  await client.rest(operations.companies.create, { name: 'Told' });
  const byPath = await client.rest(deliveries.list, { endpoint_id }, {}, deliveries.list.http.aliases[0]);
  expect([byPath.status, byPath.body.data.length]).toEqual([200, 1]);
  expect(byPath.text).toBe((await client.rest(deliveries.list, { endpoint_id })).text);
  const { id: key_id } = (await client.rest(apiKeys.create, { name: 'Spare', scope: 'read' })).body;
  expect((await client.rest(apiKeys.revoke, { key_id }, {}, apiKeys.revoke.http.aliases[0])).status).toBe(204);
  const revoked = await client.rest(apiKeys.list, { status: 'revoked' });
  expect(revoked.body.data.map(({ id }) => id)).toEqual([key_id]);
});

const balance = { as_of: '2026-03-01', balance_cents: 5, currency: 'USD', source: 'api', connection_id: 'a' };
const inputOf = (input: object): string => `input=${encodeURIComponent(JSON.stringify(input))}`;

/** Without ids and times. */
function masked(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'undefined';
  return JSON.parse(text.replaceAll(/[a-z]+_[0-9a-hjkmnp-tv-z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'));
}

test.each([
  ['a query without input', 'GET', 'me.get', undefined],
  ['a query', 'GET', 'companies.list', { limit: 2 }],
  ['a query with a fault', 'GET', 'companies.list', { limit: 'many' }],
  ['an unknown record', 'GET', 'companies.get', { company_id: 'co_00000000000000000000000000' }],
  ['a mutation', 'POST', 'cash.balances.upsert', balance],
  ['a mutation with faults', 'POST', 'cash.balances.upsert', { ...balance, currency: 'XXX', as_of: 'soon' }],
  ['a number that is too large', 'POST', 'cash.balances.upsert', { ...balance, balance_cents: 2 ** 60 }],
  ['a query that is posted', 'POST', 'me.get', {}],
  ['a mutation that is got', 'GET', 'companies.create', undefined],
  ['an unknown procedure', 'POST', 'companies.creat', {}],
] as const)('%s gets the same response alone and in a batch of one', async (_name, method, path, given) => {
  const input = path === 'cash.balances.upsert' ? { company_id: fixture.companyId, ...given } : given;
  const call = (query: string, body: object | undefined) =>
    fixture.client.send(method, `/trpc/${path}?${query}`, method === 'GET' ? {} : { body });
  // The first of two posts of a balance creates it.
  if (path === 'cash.balances.upsert') await call('', { ...input, balance_cents: 5 });
  const alone = await call(input === undefined ? '' : inputOf(input), input);
  const batch = await call(`batch=1&${input === undefined ? '' : inputOf({ 0: input })}`, { 0: input });
  expect([masked(alone.body)]).toEqual(masked(batch.body));
  expect(alone.status).toBe(batch.status);
  for (const name of ['content-type', 'vary', 'allow', 'cache-control']) {
    expect([name, alone.headers[name]]).toEqual([name, batch.headers[name]]);
  }
});

test.each([
  ['without a content type', {}],
  ['with one', { raw: '' }],
])('an absent body is an absent input, %s', async (_name, options) => {
  const required = { pointer: '/as_of', code: 'required' };
  const target = '/trpc/cash.balances.upsert';
  for (const query of ['', '?batch=1']) {
    const { status, headers, body } = await fixture.client.send('POST', target + query, options);
    expect(status).toBe(422);
    const [response] = [body].flat();
    expect(response).toMatchObject({
      error: {
        data: {
          problem: {
            instance: target,
            request_id: headers['x-request-id'],
            errors: expect.arrayContaining([expect.objectContaining(required)]),
          },
        },
      },
    });
  }
});

test('a batch of queries and mutations is rejected as a whole, with the id of the request', async () => {
  const target = '/trpc/me.get,companies.create?batch=1';
  const { status, body, headers } = await fixture.client.send('GET', target);
  expect(status).toBe(400);
  const problem = { code: 'malformed_body', request_id: headers['x-request-id'] };
  expect(body).toMatchObject({ error: { data: { problem } } });
});

test('connection parameters, which only WebSockets have, are ignored', async () => {
  const { status, body } = await fixture.client.send('GET', '/trpc/me.get,me.get?batch=1&connectionParams={');
  expect([status, body]).toEqual([200, [{ result: expect.anything() }, { result: expect.anything() }]]);
});

test("tRPC's streaming link reads a batch of successes, of errors and of both", async () => {
  const headers = { authorization: `Bearer ${fixture.apiKey}` };
  const link = httpBatchStreamLink({ url: `${fixture.url}/trpc`, headers });
  const { me, companies } = createTRPCClient<AppRouter>({ links: [link] });
  const succeed = async () => (await me.get.query()).object;
  const fail = async () => {
    const error: unknown = await companies.get
      .query({ company_id: 'co_00000000000000000000000000' })
      .catch((each) => each);
    return error instanceof TRPCClientError ? error.data?.problem.code : error;
  };
  const [object, code] = [await succeed(), await fail()];
  expect([object, code]).toEqual([expect.any(String), expect.stringMatching(/not_found$/)]);
  expect(await Promise.all([succeed(), succeed()])).toEqual([object, object]);
  expect(await Promise.all([fail(), fail()])).toEqual([code, code]);
  expect(await Promise.all([succeed(), fail(), succeed()])).toEqual([object, code, object]);
});

test('the Idempotency-Key of a HEAD is ignored, because only mutations have one', async () => {
  const options = { headers: { 'idempotency-key': 'read' } };
  expect((await fixture.client.send('HEAD', '/trpc/me.get,me.get?batch=1', options)).status).toBe(200);
});

test.each(['me.get', 'companies.create', 'companies.creat'])(
  'HEAD of %s responds as GET, without the body',
  async (path) => {
    for (const query of ['', '?batch=1']) {
      const got = await fixture.client.send('GET', `/trpc/${path}${query}`);
      const head = await fixture.client.send('HEAD', `/trpc/${path}${query}`);
      expect([head.status, head.text]).toEqual([got.status, '']);
      for (const name of ['content-type', 'content-length', 'allow'])
        expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    }
  },
);

test('errors of callers are not logged as errors, neither over tRPC nor as replays', async () => {
  const company = await fixture.client.send<{ id: string }>('POST', '/api/v1/companies', { body: { name: 'Gone' } });
  const company_id = company.body.id;
  await fixture.client.send('POST', `/api/v1/companies/${company_id}/dissolve`, { body: {} });
  const late = { body: { company_id, ...balance }, headers: { 'idempotency-key': 'late' } };
  const responses = [
    await fixture.client.send('POST', '/trpc/companies.creat', { body: {} }),
    await fixture.client.send('GET', '/trpc/companies.create'),
    await fixture.client.send('POST', '/trpc/me.get?batch=1', { body: { 0: {} } }),
    await fixture.client.send('POST', '/trpc/cash.balances.upsert', late),
    await fixture.client.send('POST', '/trpc/cash.balances.upsert', late),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 405, 405, 409, 409]);
  expect(fixture.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('a single call and a batch without a valid key get the same 401', async () => {
  for (const query of ['', 'batch=1']) {
    const { status, headers, body } = await fixture.client.send('GET', `/trpc/me.get?${query}`, { key: 'sk_none' });
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="finhook", error="invalid_token", error_description="The API key is invalid"',
    ]);
    expect(JSON.stringify(body)).toContain('UNAUTHORIZED');
  }
});
