// Risk: the tour finds its way by luck, and reports an event as missing that the documents do tell how to cause.
import { expect, test } from 'vitest';
import { type DocumentedOperation, readOperations } from './api-document.ts';
import { type Answer, attempt, type Explorer, makersOf } from './explore.ts';
import type { JsonObject } from './json.ts';
import { createKnownRecords } from './known-records.ts';
import { bodiesOf, bodyFor, repairBody } from './request-bodies.ts';

const shelvesRef = { $ref: '#/components/schemas/Shelves' };
const shop = { type: 'object', properties: { object: { const: 'shop' }, shelves: shelvesRef } };
const answer = (schema: object) => ({ content: { 'application/json': { schema } } });
const body = (example: object, properties: object = {}, required: string[] = []) => ({
  content: { 'application/json': { schema: { properties, required }, example } },
});
const status = { anyOf: [{ enum: ['open', 'closed'] }, { type: 'null' }] };
const document = {
  servers: [{ url: '/api' }],
  paths: {
    '/shops': {
      post: {
        operationId: 'create',
        requestBody: body({ name: 'A' }, { status, name: { type: 'string' }, size: { enum: ['s', 'l'] } }, ['name']),
        responses: { 201: answer(shop) },
        'x-emits': ['shop.opened'],
      },
    },
    '/shops/{shop_id}': { patch: { operationId: 'stock', requestBody: body({ stock: 1 }), responses: { 200: {} } } },
    '/shops/{shop_id}/close': {
      post: { operationId: 'close', responses: { 200: answer(shop) }, 'x-emits-later': ['shop.closed'] },
    },
    '/shelves/{shelf_key}': { put: { operationId: 'shelf', responses: { 200: {} } } },
  },
  components: {
    schemas: {
      Shelves: { type: 'array', items: { properties: { object: { const: 'shop_shelf' }, more: shelvesRef } } },
    },
  },
};

const operations = readOperations(document);
const byId = (id: string): DocumentedOperation => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
};

/** A service that answers by a function of the request and keeps what it was asked. */
function explorerOf(respond: (request: string, sent: JsonObject) => Answer): { explorer: Explorer; calls: string[] } {
  const calls: string[] = [];
  const records = createKnownRecords();
  const send: Explorer['send'] = async (method, path, sent) => {
    calls.push(`${method} ${path}`);
    return respond(`${method} ${path}`, sent);
  };
  return { explorer: { operations, records, send }, calls };
}

test('operations are read with their parameters, their events and the records of their answers', () => {
  expect(byId('create')).toMatchObject({
    method: 'POST',
    path: '/api/shops',
    parameters: [],
    emits: ['shop.opened'],
    records: ['shop', 'shop_shelf'],
    creates: true,
  });
  expect(byId('close')).toMatchObject({ parameters: ['shop_id'], emits: ['shop.closed'], creates: false, example: {} });
});

test('what makes a record is found by the name of the parameter', () => {
  const { explorer } = explorerOf(() => ({ status: 200, body: null }));
  expect(makersOf(explorer, 'shop_id').map(({ id }) => id)).toEqual(['create']);
  expect(makersOf(explorer, 'shelf_key').map(({ id }) => id)).toEqual(['create']);
  expect(makersOf(explorer, 'car_id')).toEqual([]);
});

test('bodies are the example, the example with each choice, and the example that fits an event', () => {
  expect(bodiesOf(byId('create'))).toEqual([
    { name: 'A' },
    { name: 'A', status: 'open' },
    { name: 'A', status: 'closed' },
    { name: 'A', size: 's' },
    { name: 'A', size: 'l' },
  ]);
  expect(bodyFor(byId('create'), 'shop.closed')).toEqual({ name: 'A', status: 'closed' });
  expect(bodyFor(byId('create'), 'shop.opened')).toEqual({ name: 'A' });
});

test('a refused body is repaired by its faults, unless a required field is at fault', () => {
  const faults = (...names: string[]) => ({ errors: names.map((name) => ({ pointer: `/${name}` })) });
  const create = byId('create');
  expect(repairBody(create, { name: 'A', size: 's' }, faults('size', 'status'))).toEqual({ name: 'A', status: 'open' });
  expect(repairBody(create, {}, faults('name'))).toEqual({ name: 'sample' });
  expect(repairBody(create, { name: 'A' }, faults('name'))).toBeUndefined();
  expect(repairBody(create, { name: 'A' }, faults('unheard'))).toBeUndefined();
});

test('a record that has ended is replaced, and a new one is prepared by what else can be done to it', async () => {
  const ready = new Set<string>();
  let made = 0;
  const { explorer, calls } = explorerOf((request) => {
    const id = request.split('/')[3] ?? '';
    if (request === 'POST /api/shops') return { status: 201, body: { object: 'shop', id: `shop_${++made}` } };
    if (request.startsWith('PATCH')) ready.add(id);
    return { status: request.startsWith('PATCH') || ready.has(id) ? 200 : 409, body: null };
  });
  explorer.records.learn({ object: 'shop', id: 'shop_ended' });
  expect(await attempt(explorer, byId('close'), {})).toBe(true);
  expect(calls).toEqual([
    'POST /api/shops/shop_ended/close',
    'POST /api/shops',
    'POST /api/shops/shop_1/close',
    'PATCH /api/shops/shop_1',
    'POST /api/shops/shop_1/close',
  ]);
});

test('what an example does not bring along is looked for with its other choices', async () => {
  const { explorer, calls } = explorerOf((request, sent) => {
    if (request !== 'POST /api/shops') return { status: 200, body: null };
    const shelves = sent['size'] === 'l' ? [{ object: 'shop_shelf', key: 'top' }] : [];
    return { status: 201, body: { object: 'shop', id: 'shop_1', shelves } };
  });
  expect(await attempt(explorer, byId('shelf'), {})).toBe(true);
  expect(calls.slice(-2)).toEqual(['POST /api/shops', 'PUT /api/shelves/top']);
  const { explorer: bare } = explorerOf(() => ({ status: 201, body: {} }));
  await expect(attempt(bare, byId('shelf'), {})).rejects.toThrow('No operation of the document makes what shelf_key');
});
