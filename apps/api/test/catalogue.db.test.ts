// Risk: an event that a job emits is promised and never comes, or one comes unsigned or with other data than documented.
import { createHmac } from 'node:crypto';
import { type EventType, eventTypes, operationList, operations } from '@finhook/contracts';
import { type ReceivedRequest, type Receiver, startReceiver } from '@finhook/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { type ApiProcess, startApiProcess } from './api-process.ts';
import { compileOpenApi, createAjv, type OpenApiSchemas } from './open-api-schemas.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const { bank, cash, companies, webhookEndpoints } = operations;

interface Envelope {
  id: string;
  type: string;
  account_id: string;
  data: Record<string, unknown>;
}

const fixture = useApi();
let api: ApiProcess;
let worker: WorkerProcess;
let receiver: Receiver;
let client: ApiClient;
let secret: string;
let schemas: OpenApiSchemas;
let catalogue: Map<string, Record<string, unknown> | null>;

beforeAll(async () => {
  api = await startApiProcess(fixture.databaseUrl);
  worker = startWorkerProcess(fixture.databaseUrl);
  receiver = await startReceiver();
  receiver.script('/broken', { status: 500 });
  client = createApiClient(api.url, fixture.apiKey);
  schemas = compileOpenApi((await client.send<object>('GET', '/api/v1/openapi.json')).body);
  const { body } = await client.rest(operations.eventTypes.list);
  catalogue = new Map(body.data.filter(({ operational }) => !operational).map(({ type, schema }) => [type, schema]));
  secret = (await client.rest(webhookEndpoints.create, { url: `${receiver.url}/hook`, events: [] })).body.secret;
});
afterAll(async () => {
  await worker.stop();
  client.close();
  await api.stop();
  await receiver.close();
});

function eventOf({ body }: ReceivedRequest): Envelope {
  return JSON.parse(body.toString('utf8'));
}

/** What was received of this type about this record. */
function isAbout(type: string, id: string): (request: ReceivedRequest) => boolean {
  return (request) => {
    if (request.path !== '/hook') return false;
    const event = eventOf(request);
    return event.type === type && event.data['id'] === id;
  };
}

/** The recipe of the interface, section 5. */
function verifyByRecipe({ headers, body }: ReceivedRequest): void {
  const [t = '', signature = ''] = String(headers['x-service-signature'])
    .split(',')
    .map((part) => part.slice(part.indexOf('=') + 1));
  expect(signature).toBe(createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex'));
  expect(Math.abs(Date.now() / 1000 - Number(t))).toBeLessThan(300);
}

test('every event type that is not operational is served', () => {
  expect([...catalogue.keys()]).toEqual([...eventTypes]);
});

/** What brings an event about: returns the `id` that the event's `data` has. The walk has those of all operations. */
const causes: Partial<Record<EventType, () => Promise<string>>> = {
  'bank.balance.updated': async () =>
    (await client.rest(cash.balances.upsert, { company_id: fixture.companyId, ...cash.balances.upsert.example })).body
      .id,
  'partner.sync_completed': async () => {
    const { create, setSecret, sync } = bank.connections;
    const made = await client.rest(create, { company_id: fixture.companyId, ...create.example });
    const connection_id = made.body.id;
    await client.rest(setSecret, { connection_id, ...setSecret.example });
    return (await client.rest(sync, { connection_id })).body.id;
  },
  // Five attempts fail, the first at once and four after waits that the worker's scale makes short.
  'webhook_endpoint.failing': async () => {
    const events = ['company.updated', 'webhook_endpoint.failing'];
    const { id } = (await client.rest(webhookEndpoints.create, { url: `${receiver.url}/broken`, events })).body;
    await client.rest(companies.update, { company_id: fixture.companyId, name: 'Renamed' });
    return id;
  },
};

test('an event that no operation emits has a cause here', () => {
  const emitted = new Set<string>(operationList.flatMap(({ emits }) => emits));
  expect(eventTypes.filter((type) => !emitted.has(type) && !(type in causes))).toEqual([]);
});

test.each(Object.entries(causes))('%s is received, signed and as documented', async (type, cause) => {
  const isIt = isAbout(type, await cause());
  const requests = await receiver.waitFor((all) => all.some(isIt), { timeoutMs: 20_000 });
  const [request, ...others] = requests.filter(isIt);
  if (request === undefined) throw new Error('It was not received.');
  expect(others.map((other) => eventOf(other).id)).toEqual([]);
  verifyByRecipe(request);
  const event = eventOf(request);
  expect(request.headers).toMatchObject({ 'webhook-id': event.id, 'x-service-event': type });
  expect(event.account_id).toBe(fixture.accountId);
  const ajv = createAjv();
  expect(ajv.validate(catalogue.get(type) ?? false, event.data), ajv.errorsText()).toBe(true);
  expect(schemas.webhookErrors(type, event)).toBeUndefined();
});

test('an endpoint that fails is not told of its own failing', async () => {
  const types = receiver.requests.filter(({ path }) => path === '/broken').map((request) => eventOf(request).type);
  expect(new Set(types)).toEqual(new Set(['company.updated']));
});
