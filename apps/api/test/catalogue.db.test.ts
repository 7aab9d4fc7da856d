// Risk: an event of the catalogue is promised and never comes, or comes unsigned or with other data than documented.
import { createHmac } from 'node:crypto';
import { type EventType, eventTypes, operations } from '@finhook/contracts';
import { type ReceivedRequest, type Receiver, startReceiver } from '@finhook/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { type ApiProcess, startApiProcess } from './api-process.ts';
import { causes, createStage, type Stage } from './event-causes.ts';
import { compileOpenApi, createAjv, type OpenApiSchemas } from './open-api-schemas.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

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
let stage: Stage;
let secret: string;
let schemas: OpenApiSchemas;
let catalogue: Map<string, Record<string, unknown> | null>;

beforeAll(async () => {
  api = await startApiProcess(fixture.databaseUrl);
  worker = startWorkerProcess(fixture.databaseUrl);
  receiver = await startReceiver();
  receiver.script('/broken', { status: 500 });
  client = createApiClient(api.url, fixture.apiKey);
  stage = createStage({ ...fixture, client }, `${receiver.url}/broken`);
  schemas = compileOpenApi((await client.send<object>('GET', '/api/v1/openapi.json')).body);
  const { body } = await client.rest(operations.eventTypes.list);
  catalogue = new Map(body.data.filter(({ operational }) => !operational).map(({ type, schema }) => [type, schema]));
  secret = (await stage.run(operations.webhookEndpoints.create, { url: `${receiver.url}/hook`, events: [] })).secret;
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

/** What was received of this type about this record, or about this company as a whole. */
function isAbout(type: EventType, id: string): (request: ReceivedRequest) => boolean {
  return (request) => {
    if (request.path !== '/hook') return false;
    const event = eventOf(request);
    return event.type === type && (event.data['id'] === id || event.data['company_id'] === id);
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

test('every event type that is not operational is served, and has a cause', () => {
  expect([...catalogue.keys()]).toEqual([...eventTypes]);
  expect(Object.keys(causes).sort()).toEqual([...catalogue.keys()].sort());
});

describe.each(eventTypes)('%s', (type) => {
  test('is caused over REST and received, signed and as documented', async () => {
    const isIt = isAbout(type, await causes[type](stage));
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
});

test('an endpoint that fails is not told of its own failing', async () => {
  const types = receiver.requests.filter(({ path }) => path === '/broken').map((request) => eventOf(request).type);
  expect(new Set(types)).toEqual(new Set(['company.updated']));
});
