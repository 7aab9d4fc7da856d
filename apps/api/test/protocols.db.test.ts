// Risk: REST and tRPC say different things about one operation, or a request that is repeated has its effect twice.

import { type Operation, operationList, operations } from '@finhook/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
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
  // Two accounts with the same content: each protocol changes its own, and both must end up the same.
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

test('whatever the protocols distinguish operations by is a property of one that is called here', () => {
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
      // A DELETE has no body that could differ, and a strict input takes no field that it does not know.
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

test('a list and a change by their aliases are the same operations', async () => {
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
