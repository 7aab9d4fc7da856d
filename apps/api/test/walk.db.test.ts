// Risk: an operation returns, logs or emits something else than the catalogue and the OpenAPI document say.

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
import type { ApiResponse } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { compileOpenApi, createAjv, type OpenApiSchemas } from './open-api-schemas.ts';
import { inputFor, walkOrder } from './operation-walk.ts';
import { seedTenant } from './seed-tenant.ts';

const fixture = useApi();
let schemas: OpenApiSchemas;
/** The actor of the key in the audit log. */
let actor: { type: 'api_key'; id: string; name: string };
const responses = new Map<string, ApiResponse>();

beforeAll(async () => {
  const { client } = fixture;
  schemas = compileOpenApi((await client.send<object>('GET', '/api/v1/openapi.json')).body);
  const { id, name } = (await client.rest(operations.me.get)).body.api_key;
  actor = { type: 'api_key', id, name };
  const seed = await seedTenant(fixture);
  for (const operation of walkOrder)
    responses.set(operation.id, await client.rest(operation, inputFor(operation, seed)));
}, 120_000);

function responseOf({ id }: Operation): ApiResponse {
  const response = responses.get(id);
  if (!response) throw new Error(`${id} was not called.`);
  return response;
}

describe.each(operationList)('$id', (operation) => {
  test('returns the success that the catalogue and the OpenAPI document describe', () => {
    const { status, body, headers } = responseOf(operation);
    const { path, method, success } = operation.http;
    expect(operation.http.status ? [200, 201, 202] : [success]).toContain(status);
    if (status === 204) return expect(body).toBeNull();
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(schemas.errorsOf({ path, method, status, type: 'application/json' }, body)).toBeUndefined();
    // The schema leaves out what it does not know: nothing undocumented is returned.
    expect(operation.output.parse(body)).toEqual(body);
  });

  test('writes one audit row if it is a change, and none if it is a query', async () => {
    const rows = await fixture.elsewhere.database.query(
      'SELECT account_id, action, actor, ip FROM audit_log WHERE request_id = $1',
      [responseOf(operation).headers['x-request-id']],
    );
    const row = { account_id: fixture.accountId, action: operation.id, actor, ip: '127.0.0.1' };
    expect(rows).toEqual(operation.kind === 'mutation' ? [row] : []);
  });
});

test('the document’s schemas are strict enough to reject a wrong body', () => {
  const { path, method } = operations.companies.get.http;
  const place = { path, method, status: 200, type: 'application/json' };
  const { body } = responseOf(operations.companies.get);
  expect(schemas.errorsOf(place, body)).toBeUndefined();
  expect(schemas.errorsOf(place, { ...Object(body), status: 'asleep' })).toContain('status');
  expect(schemas.errorsOf(place, { ...Object(body), id: undefined, created_at: 'today' })).toMatch(/id.*created_at/);
});

test('an operation that creates or changes returns 201 or 200, and one that queues 202, by what it did', () => {
  const byOutput = operationList.filter(({ http }) => http.status);
  expect(Object.fromEntries(byOutput.map((operation) => [operation.id, responseOf(operation).status]))).toEqual({
    'cash.balances.upsert': 200,
    'bank.transactions.ingest': 200,
    'financials.snapshots.upsert': 200,
    'webhookEndpoints.replay': 202,
    'agents.attach': 201,
    'agentActions.create': 201,
    'runtimeSnapshots.put': 201,
  });
});

test('the activity log shows each change with the events that it promises', async () => {
  for (const operation of operationList.filter(({ emits }) => emits.length > 0)) {
    const { data } = (await fixture.client.rest(operations.activity.list, { action: operation.id })).body;
    // Opening the account is one change, with its first key and its first company.
    const made = data.filter(({ actor: { type } }) => type === 'api_key');
    const types = new Set<string>(made.flatMap(({ events }) => events.map(({ type }) => type)));
    expect(types.size, operation.id).toBeGreaterThan(0);
    const unexpected = [...types].filter((type) => !operation.emits.some((promised) => promised === type));
    expect(unexpected, operation.id).toEqual([]);
  }
});

// apps/worker/test/sync.queue.test.ts and deliver.queue.test.ts compare them with their schemas.
test('only a worker emits these events', () => {
  const emitted = new Set<string>(operationList.flatMap(({ emits }) => emits));
  const inWorker = ['partner.sync_completed', 'webhook_endpoint.failing'];
  expect(eventTypes.filter((type) => !emitted.has(type)).toSorted()).toEqual(inWorker);
});

/** The company that an event's data belongs to; a whole agent and an API key belong to none. */
function companyOf(data: object): unknown {
  const field = (name: string, of: unknown = data): unknown => Reflect.get(Object(of), name);
  if (field('object') === 'company') return field('id');
  return field('company_id') ?? field('company_id', field('binding')) ?? undefined;
}

test('every event of the walk, and every sample, is what the catalogue and the OpenAPI webhooks say', async () => {
  const { client } = fixture;
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
    // No schema is closed against fields that are added.
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
