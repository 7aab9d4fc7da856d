// Risk: REST, tRPC, OpenAPI and the event catalogue tell four different stories about the same operation.
import {
  eventDefinition,
  isAnyEventType,
  type Operation,
  operationalEventTypes,
  operationList,
  operations,
} from '@finhook/contracts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiFixture, openApiFixture, type Tenant, waitForSettledFeed } from './api-fixture.ts';
import { compileOpenApi, createAjv, type OpenApiSchemas } from './open-api-schemas.ts';
import { inputFor, normalize, walkOrder } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';
import type { Answer } from './surface-client.ts';

let fixture: ApiFixture;
let schemas: OpenApiSchemas;
let restTenant: Tenant;
let trpcTenant: Tenant;
const rest = new Map<string, Answer>();
const trpc = new Map<string, Answer>();

beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  schemas = compileOpenApi((await fixture.client.send<object>('GET', '/api/v1/openapi.json')).body);
  // Two accounts with the same content: each surface changes its own, and must end up at the same place.
  [restTenant, trpcTenant] = [await fixture.openTenant('Twin'), await fixture.openTenant('Twin')];
  const [restSeed, trpcSeed]: [Seed, Seed] = [await seedTenant(restTenant), await seedTenant(trpcTenant)];
  for (const operation of walkOrder) {
    if (operation === operations.events.list) await waitForSettledFeed(fixture);
    rest.set(operation.id, await restTenant.client.rest(operation, inputFor(operation, restSeed)));
    trpc.set(operation.id, await trpcTenant.client.trpc(operation, inputFor(operation, trpcSeed)));
  }
});

afterAll(() => fixture.close());

function answerOf(answers: Map<string, Answer>, { id }: Operation): Answer {
  const answer = answers.get(id);
  if (!answer) throw new Error(`${id} was not called.`);
  return answer;
}

describe.each(operationList)('$id', (operation) => {
  test('answers the same over both surfaces', () => {
    const [one, other] = [answerOf(rest, operation), answerOf(trpc, operation)];
    expect(other.status).toBe(200);
    expect(normalize(one.body)).toEqual(normalize(other.body));
  });

  test('answers a success that its table entry and the OpenAPI document describe', () => {
    const { status, body, headers } = answerOf(rest, operation);
    const { path, method, success } = operation.http;
    expect([success, 201, 200]).toContain(status);
    if (status === 204) return expect(body).toBeNull();
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(schemas.faultsOf({ path, method, status, type: 'application/json' }, body)).toBeUndefined();
    // The schema leaves out what it does not know: nothing undocumented is told.
    expect(operation.output.parse(body)).toEqual(body);
  });
});

test('the document’s schemas are strict enough to refuse a wrong body', () => {
  const { path, method } = operations.companies.get.http;
  const place = { path, method, status: 200, type: 'application/json' };
  const { body } = answerOf(rest, operations.companies.get);
  expect(schemas.faultsOf(place, body)).toBeUndefined();
  expect(schemas.faultsOf(place, { ...Object(body), status: 'asleep' })).toContain('status');
  expect(schemas.faultsOf(place, { ...Object(body), id: undefined, created_at: 'today' })).toMatch(/id.*created_at/);
});

test('creating answers 201, updating 200, queueing 202, deleting 204', () => {
  const statuses = Object.fromEntries([...rest].map(([id, { status }]) => [id, status]));
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

test('an alias runs the same operation', async () => {
  const tenant = await fixture.openTenant('Aliases');
  const seed = await seedTenant(tenant);
  const { list } = operations.deliveries;
  const byPath = await tenant.client.rest(list, { endpoint_id: seed.endpoint_id }, {}, list.http.aliases[0]);
  const byFilter = await tenant.client.rest(list, { endpoint_id: seed.endpoint_id });
  expect(byPath.status).toBe(200);
  expect(byPath.text).toBe(byFilter.text);
  const { revoke } = operations.apiKeys;
  expect((await tenant.client.rest(revoke, { key_id: seed.key_id }, {}, revoke.http.aliases[0])).status).toBe(204);
  const keys = await tenant.client.rest(operations.apiKeys.list, { status: 'revoked' });
  expect(keys.body.data.map(({ id }) => id)).toEqual([seed.key_id]);
});

/** The company that an event's data belongs to; a whole agent and an API key belong to none. */
function companyOf(data: object): unknown {
  const field = (name: string, of: unknown = data): unknown => Reflect.get(Object(of), name);
  if (field('object') === 'company') return field('id');
  return field('company_id') ?? field('company_id', field('binding')) ?? undefined;
}

test('every event of the walk is what the catalogue and the OpenAPI webhooks say', async () => {
  const catalogue = await restTenant.client.rest(operations.eventTypes.list);
  const ajv = createAjv();
  const validators = new Map(
    catalogue.body.data.map(({ type, schema }) => [type, schema === null ? undefined : ajv.compile(schema)]),
  );
  const promised = new Set(operationList.flatMap(({ emits }) => emits));
  await waitForSettledFeed(fixture);
  const { data: events } = (await restTenant.client.rest(operations.events.list, { limit: 200 })).body;
  const types = new Set<string>(events.map(({ type }) => type));
  expect([...promised].filter((type) => !types.has(type))).toEqual([]);
  for (const event of events) {
    const validate = validators.get(event.type);
    expect(validate?.(event.data), `${event.type}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
    expect(schemas.webhookFaultsOf(event.type, event), event.type).toBeUndefined();
    expect(Object.keys(event)).toEqual(expect.arrayContaining(['id', 'type', 'created_at', 'account_id', 'data']));
    expect(event.company_id, event.type).toBe(companyOf(event.data));
    expect(isAnyEventType(event.type) && eventDefinition(event.type).data.parse(event.data)).toEqual(event.data);
  }
});

test('every sample of the catalogue validates against its own schema', async () => {
  const catalogue = await restTenant.client.rest(operations.eventTypes.list);
  const emitted = catalogue.body.data.filter((type) => type.emitted);
  expect(emitted.length).toBeGreaterThan(5);
  expect(catalogue.body.data.filter(({ operational }) => !operational)).toHaveLength(37);
  expect(catalogue.body.data.filter(({ operational }) => operational)).toHaveLength(operationalEventTypes.length);
  for (const { type, schema, sample } of emitted) {
    const ajv = createAjv();
    expect(ajv.validate(schema ?? false, sample?.data), `${type}: ${ajv.errorsText()}`).toBe(true);
    const later = { ...sample?.data, added_later: true };
    expect(ajv.validate(schema ?? false, later), `D-7: ${type} is closed against fields that are added`).toBe(true);
    expect(schemas.webhookFaultsOf(type, sample)).toBeUndefined();
  }
});
