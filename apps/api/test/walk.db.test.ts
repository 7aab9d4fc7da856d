// Risk: REST, tRPC, OpenAPI, the audit log and Idempotency-Key say different things about the same operation, so that a
// change cannot be traced, or a repeated request makes it twice.

import {
  eventDefinition,
  eventTypes,
  isAnyEventType,
  type Operation,
  operationalEventTypes,
  operationList,
  operations,
} from '@finhook/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, type Input, type SendOptions } from './api-client.ts';
import { type Tenant, useApi } from './api-fixture.ts';
import { compileOpenApi, createAjv, type OpenApiSchemas } from './open-api-schemas.ts';
import { expectProtectedResponse, inputFor, mutations, normalize, walkOrder } from './operation-walk.ts';
import { seedTenant } from './seed-tenant.ts';

type Protocol = 'rest' | 'trpc';

/** An account whose records only one protocol changes. */
interface Side {
  tenant: Tenant;
  inputOf: (operation: Operation) => Input;
  /** The actor of its key in the audit log. */
  actor: { type: 'api_key'; id: string; name: string };
}

/** What one operation returned, and the rows that the database had gained at each step. */
interface Step {
  first: ApiResponse;
  replays: ApiResponse[];
  /** The first request's key with a request of another content. */
  reused: ApiResponse[];
  invalidKeys: ApiResponse[];
  addedByRepeats: number;
}

const fixture = useApi();
let schemas: OpenApiSchemas;
const sides = new Map<Protocol, Side>();
const steps = { rest: new Map<string, Step>(), trpc: new Map<string, Step>() };
const withoutKey = new Map<string, ApiResponse>();
/** A page of another site sends this with each request. */
const origin = 'https://evil.example';

beforeAll(async () => {
  schemas = compileOpenApi((await fixture.client.send<object>('GET', '/api/v1/openapi.json')).body);
  // Two accounts with the same content: each protocol changes its own, and both must end up the same.
  for (const protocol of ['rest', 'trpc'] as const) sides.set(protocol, await openSide());
  for (const operation of walkOrder) {
    for (const protocol of ['rest', 'trpc'] as const)
      steps[protocol].set(operation.id, await take(protocol, operation));
    const { inputOf } = sideOf('rest');
    const options = { key: null, headers: { origin } };
    withoutKey.set(operation.id, await fixture.client.rest(operation, inputOf(operation), options));
  }
}, 120_000);

async function openSide(): Promise<Side> {
  const tenant = await fixture.openTenant('Twin');
  const { client } = tenant;
  const seed = await seedTenant(tenant);
  const { id, name } = (await client.rest(operations.me.get)).body.api_key;
  return {
    tenant,
    inputOf: (operation) => inputFor(operation, seed),
    actor: { type: 'api_key', id, name },
  };
}

function sideOf(protocol: Protocol): Side {
  const side = sides.get(protocol);
  if (!side) throw new Error(`There is no account of ${protocol}.`);
  return side;
}

function stepOf(protocol: Protocol, { id }: Operation): Step {
  const step = steps[protocol].get(id);
  if (!step) throw new Error(`${id} was not called.`);
  return step;
}

async function countEffects(): Promise<number> {
  const tables = ['event', 'audit_log', 'delivery', 'due'].map((table) => `(SELECT count(*) FROM ${table})`);
  const [row] = await fixture.elsewhere.database.query<{ rows: number }>(`SELECT (${tables.join('+')})::int AS rows`);
  return row?.rows ?? 0;
}

/** Calls an operation, a mutation with an Idempotency-Key of the longest length, and then repeats the request. */
async function take(protocol: Protocol, operation: Operation): Promise<Step> {
  const { tenant, inputOf } = sideOf(protocol);
  const input = inputOf(operation);
  const send = (options: SendOptions, sent = input) => tenant.client[protocol](operation, sent, options);
  if (operation.kind === 'query') {
    const first = await send({ headers: { origin } });
    return { first, replays: [], reused: [], invalidKeys: [], addedByRepeats: 0 };
  }
  const invalid = ['', 'a b', 'x'.repeat(256), Buffer.from('kéy', 'utf8').toString('latin1')];
  const before = await countEffects();
  const invalidKeys: ApiResponse[] = [];
  for (const key of invalid) invalidKeys.push(await send({ headers: { 'idempotency-key': key } }));
  const addedByInvalid = (await countEffects()) - before;

  const headers = { origin, 'idempotency-key': operation.id.padEnd(255, '~') };
  const first = await send({ headers });
  const after = await countEffects();
  const replays = [await send({ headers }), await send({ headers })];
  const reused: ApiResponse[] = [
    await tenant.client[protocol](operations.companies.create, { name: 'Elsewhere' }, { headers }),
  ];
  // A DELETE has no body that could differ, and a strict input takes no field that it does not know.
  const isOpen = operation.http.method !== 'DELETE' && operation.input.safeParse({ ...input, note: 'other' }).success;
  if (isOpen) reused.push(await send({ headers }, { ...input, note: 'other' }));
  return { first, replays, reused, invalidKeys, addedByRepeats: addedByInvalid + (await countEffects()) - after };
}

describe.each(operationList)('$id', (operation) => {
  // The request log of each protocol has its own requests.
  test.skipIf(operation.id === 'requests.list')('returns the same over both protocols', () => {
    const [rest, trpc] = [stepOf('rest', operation).first, stepOf('trpc', operation).first];
    expect(trpc.status, trpc.text).toBe(200);
    expect(normalize(rest.body)).toEqual(normalize(trpc.body));
  });

  test('returns a success that its table entry and the OpenAPI document describe', () => {
    const { status, body, headers } = stepOf('rest', operation).first;
    const { path, method, success } = operation.http;
    expect([success, 201, 200]).toContain(status);
    if (status === 204) return expect(body).toBeNull();
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(schemas.errorsOf({ path, method, status, type: 'application/json' }, body)).toBeUndefined();
    // The schema leaves out what it does not know: nothing undocumented is returned.
    expect(operation.output.parse(body)).toEqual(body);
  });

  test('D17: D59: S37: says its version, is not stored, runs no script and allows no other origin', () => {
    const [rest, trpc] = [stepOf('rest', operation), stepOf('trpc', operation)];
    expectProtectedResponse('rest', rest.first, operation.etag);
    const others = [trpc.first, ...[rest, trpc].flatMap(({ replays, reused }) => [...replays, ...reused])];
    for (const response of others) expectProtectedResponse('another', response);
    const rejected = withoutKey.get(operation.id);
    expect(rejected?.status).toBe(401);
    if (rejected) expectProtectedResponse('401', rejected);
  });

  test('S28: a change leaves exactly one audit row, under the name of its operation; a query leaves none', async () => {
    for (const protocol of ['rest', 'trpc'] as const) {
      const { tenant, actor } = sideOf(protocol);
      const rows = await fixture.elsewhere.database.query(
        'SELECT account_id, action, actor, ip FROM audit_log WHERE request_id = $1',
        [stepOf(protocol, operation).first.headers['x-request-id']],
      );
      const row = { account_id: tenant.accountId, action: operation.id, actor, ip: '127.0.0.1' };
      expect(rows, protocol).toEqual(operation.kind === 'mutation' ? [row] : []);
    }
  });
});

test('D7: every response has a request id of its own', () => {
  const taken = [...steps.rest.values(), ...steps.trpc.values()];
  const responses = taken.flatMap(({ first, replays, reused }) => [first, ...replays, ...reused]);
  const ids = [...responses, ...withoutKey.values()].map(({ headers }) => headers['x-request-id']);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(mutations)('$id with an Idempotency-Key', (operation) => {
  test.each(['rest', 'trpc'] as const)(
    'C26: C27: C30: over %s a replay returns the same bytes, another request with the key is 422, an invalid key 400, all without effect',
    (protocol) => {
      const { first, replays, reused, invalidKeys, addedByRepeats } = stepOf(protocol, operation);
      expect(first.status, first.text).toBeLessThan(300);
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      for (const replay of replays) {
        expect([replay.status, replay.text]).toEqual([first.status, first.text]);
        expect(replay.headers['idempotency-replayed']).toBe('true');
      }
      const codes = (responses: ApiResponse[]) => responses.map(({ status, problem }) => [status, problem.code]);
      expect(codes(reused)).toEqual(reused.map(() => [422, 'idempotency_key_reuse']));
      expect(codes(invalidKeys)).toEqual(invalidKeys.map(() => [400, 'invalid_idempotency_key']));
      expect(addedByRepeats).toBe(0);
    },
  );
});

test('the document’s schemas are strict enough to reject a wrong body', () => {
  const { path, method } = operations.companies.get.http;
  const place = { path, method, status: 200, type: 'application/json' };
  const { body } = stepOf('rest', operations.companies.get).first;
  expect(schemas.errorsOf(place, body)).toBeUndefined();
  expect(schemas.errorsOf(place, { ...Object(body), status: 'asleep' })).toContain('status');
  expect(schemas.errorsOf(place, { ...Object(body), id: undefined, created_at: 'today' })).toMatch(/id.*created_at/);
});

test('creating returns 201, updating 200, queueing 202, deleting 204', () => {
  const statuses = Object.fromEntries([...steps.rest].map(([id, { first }]) => [id, first.status]));
  expect(statuses).toMatchObject({
    'companies.create': 201,
    'cash.balances.upsert': 200,
    'bank.transactions.ingest': 200,
    'financials.snapshots.upsert': 200,
    'filings.create': 201,
    'filings.submit': 200,
    'compliance.resync': 200,
    'webhookEndpoints.create': 201,
    'webhookEndpoints.update': 200,
    'webhookEndpoints.test': 202,
    'webhookEndpoints.recover': 202,
    'webhookEndpoints.replay': 202,
    'webhookEndpoints.delete': 204,
    'apiKeys.create': 201,
    'apiKeys.rotate': 201,
    'events.redeliver': 202,
    'deliveries.retry': 202,
  });
});

test('S28: the activity log shows each of these changes with the events that it promises', async () => {
  const { client } = sideOf('rest').tenant;
  for (const operation of mutations.filter(({ emits }) => emits.length > 0)) {
    const { data } = (await client.rest(operations.activity.list, { action: operation.id })).body;
    // Opening the account is one change, with its first key and its first company.
    const made = data.filter(({ actor }) => actor.type === 'api_key');
    const types = new Set<string>(made.flatMap(({ events }) => events.map(({ type }) => type)));
    expect(types.size, operation.id).toBeGreaterThan(0);
    const unexpected = [...types].filter((type) => !operation.emits.some((promised) => promised === type));
    expect(unexpected, operation.id).toEqual([]);
  }
});

/** The company that an event's data belongs to; a whole agent and an API key belong to none. */
function companyOf(data: object): unknown {
  const field = (name: string, of: unknown = data): unknown => Reflect.get(Object(of), name);
  if (field('object') === 'company') return field('id');
  return field('company_id') ?? field('company_id', field('binding')) ?? undefined;
}

test('every event of the walk, and every sample, is what the catalogue and the OpenAPI webhooks say', async () => {
  const { client } = sideOf('rest').tenant;
  const catalogue = (await client.rest(operations.eventTypes.list)).body.data;
  const ajv = createAjv();
  const validators = new Map(catalogue.map(({ type, schema }) => [type, ajv.compile(schema ?? false)]));
  const errorsOf = (type: string, data: unknown) =>
    validators.get(type)?.(data) === true ? undefined : `${type}: ${ajv.errorsText(validators.get(type)?.errors)}`;
  expect(catalogue.map(({ type }) => type)).toEqual([...eventTypes, ...operationalEventTypes]);
  const emitted = catalogue.filter((type) => type.emitted);
  expect(emitted.length).toBeGreaterThan(5);
  for (const { type, sample } of emitted) {
    expect(errorsOf(type, sample?.data)).toBeUndefined();
    // D-7: no schema is closed against fields that are added.
    expect(errorsOf(type, { ...sample?.data, added_later: true })).toBeUndefined();
    expect(schemas.webhookErrors(type, sample)).toBeUndefined();
  }

  const promised = new Set(operationList.flatMap(({ emits }) => emits));
  const { data: events } = (await client.rest(operations.events.list, { limit: 200 })).body;
  const types = new Set<string>(events.map(({ type }) => type));
  expect([...promised].filter((type) => !types.has(type))).toEqual([]);
  for (const event of events) {
    expect(errorsOf(event.type, event.data)).toBeUndefined();
    expect(schemas.webhookErrors(event.type, event), event.type).toBeUndefined();
    expect(Object.keys(event)).toEqual(expect.arrayContaining(['id', 'type', 'created_at', 'account_id', 'data']));
    expect(event.company_id, event.type).toBe(companyOf(event.data));
    expect(isAnyEventType(event.type) && eventDefinition(event.type).data.parse(event.data)).toEqual(event.data);
  }
});

test('an alias runs the same operation', async () => {
  const { client, companyId } = fixture;
  const { deliveries, apiKeys, webhookEndpoints, cash } = operations;
  const endpoint_id = (await client.rest(webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })).body.id;
  await client.rest(cash.balances.upsert, { ...cash.balances.upsert.example, company_id: companyId });
  const byPath = await client.rest(deliveries.list, { endpoint_id }, {}, deliveries.list.http.aliases[0]);
  expect([byPath.status, byPath.body.data.length]).toEqual([200, 1]);
  expect(byPath.text).toBe((await client.rest(deliveries.list, { endpoint_id })).text);
  const { id: key_id } = (await client.rest(apiKeys.create, { name: 'Spare', scope: 'read' })).body;
  expect((await client.rest(apiKeys.revoke, { key_id }, {}, apiKeys.revoke.http.aliases[0])).status).toBe(204);
  const revoked = await client.rest(apiKeys.list, { status: 'revoked' });
  expect(revoked.body.data.map(({ id }) => id)).toEqual([key_id]);
});
