// Risk: a key reads or changes a record of another account, or of a company or agent outside of its limits.

import { type Operation, operationList, operations } from '@finhook/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiResponse, type Input, toRestRequest } from './api-client.ts';
import { pathNames, useApi } from './api-fixture.ts';
import { anonymousProblem, idsFor, inputFor } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';

const limitedScopes = ['human', 'read', 'agent', 'ingest'] as const;
const fixture = useApi();
let seed: Seed;
/** The records of another account. */
let foreign: Seed;
/** A company without records, and keys that are limited to it. */
let beside: { company_id: string; keys: Record<(typeof limitedScopes)[number], string> };
/** A key that is limited to the company with the records. */
let inside: string;
/** An agent at that company that has done nothing, and its key. */
let colleague: { agent_id: string; key: string };

beforeAll(async () => {
  const { client, keyOf } = fixture;
  seed = await seedTenant(fixture);
  foreign = await seedTenant(await fixture.openTenant('Other'));
  const { put } = operations.runtimeSnapshots;
  await client.rest(put, inputFor(put, seed));
  const createAgent = async (company_id: string) =>
    (await client.rest(operations.agents.create, { ...operations.agents.create.example, company_id })).body.id;
  const company_id = (await client.rest(operations.companies.create, { name: 'Beside' })).body.id;
  const company_ids = [company_id];
  beside = {
    company_id,
    keys: {
      human: await keyOf('human', { company_ids }),
      read: await keyOf('read', { company_ids }),
      agent: await keyOf('agent', { agent_id: await createAgent(company_id) }),
      ingest: await keyOf('ingest', { company_ids }),
    },
  };
  inside = await keyOf('human', { company_ids: [seed.company_id] });
  const agent_id = await createAgent(seed.company_id);
  colleague = { agent_id, key: await keyOf('agent', { agent_id }) };
});

const isId = (name: string): boolean => name.endsWith('_id');
const pathIds = (operation: Operation): string[] => pathNames(operation).filter(isId);
const lists = operationList.filter(({ kind, id }) => kind === 'query' && /list$/i.test(id) && id !== 'eventTypes.list');

/** The ids of a seed by the names of inputs, which have some names of their own. */
function idsByName(ids: Seed): Input {
  const { company_id, agent_id, key_id: actor_id, balance_id: resource_id, connection_id: replaces } = ids;
  return { ...ids, actor_id, resource_id, replaces, company_ids: [company_id], agent_ids: [agent_id] };
}

/** Fields of the body or the query that name a record. */
function namedBeside({ input, http }: Operation): string[] {
  const names = Object.keys(Object(Reflect.get(input, 'shape')));
  const known = idsByName(seed);
  return names.filter((name) => /_ids?$|^replaces$/.test(name) && name in known && !http.path.includes(`{${name}}`));
}

function unknownLike(id: unknown): unknown {
  return Array.isArray(id) ? id.map(unknownLike) : `${String(id).split('_')[0]}_${'0'.repeat(26)}`;
}

const hide = (response: ApiResponse, id: unknown): string =>
  JSON.stringify([response.status, anonymousProblem(response)])
    .replaceAll(String(id), 'ID')
    .replaceAll(/"(as_of|from|to|counted_from)":"[^"]+"/g, '');

/** The response for an unknown id in a path, for keys of the whole account and for limited ones. */
const unknownInPath = new Map<string, string>();

/** Calls the operation, which must not distinguish the record `name` from one that doesn't exist. */
async function likeUnknown(
  operation: Operation,
  input: Input,
  name: string,
  key = fixture.apiKey,
): Promise<ApiResponse> {
  const isLimited = key !== fixture.apiKey;
  const place = pathNames(operation).includes(name) ? `${operation.id} ${name} ${isLimited}` : undefined;
  const askUnknown = async (): Promise<string> => {
    const unknown = unknownLike(input[name]);
    return hide(await fixture.client.rest(operation, { ...input, [name]: unknown }, { key }), unknown);
  };
  const told = unknownInPath.get(place ?? '') ?? (await askUnknown());
  if (place !== undefined) unknownInPath.set(place, told);
  const response = await fixture.client.rest(operation, input, { key });
  expect(hide(response, input[name]), name).toBe(told);
  return response;
}

/** A digest of each table with accounts, without background writes, such as the sums that a read brings up to date. */
async function readAccounts(): Promise<object[]> {
  const { database } = fixture.elsewhere;
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name AND NOT relispartition
     WHERE table_schema = 'public' AND column_name = 'account_id'
       AND table_name NOT IN
         ('request_log', 'transaction_day', 'transaction_month', 'transaction_receipt', 'transaction_rollup') ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(15);
  const row = "(to_jsonb(t) - ARRAY['last_used_at', 'last_used_ip', 'last_seen_at', 'audit_position'])";
  const digests = tables.map(
    ({ name }) => `SELECT '${name}' AS name, md5(string_agg(${row}::text, '|' ORDER BY ${row}::text)) AS digest
      FROM ${name} t WHERE ${row} ->> 'action' IS DISTINCT FROM 'access.denied'`,
  );
  return database.query(digests.join(' UNION ALL '));
}

function expectNoIds(response: ApiResponse, ids: object, except: readonly unknown[] = []): void {
  // The request log has the paths that the caller itself asked for; its own test says whose requests it lists.
  if (response.text.includes('"object":"request"')) return;
  for (const id of Object.values(ids)) {
    // The names of steps and the numbers of attempts are the same everywhere.
    if (id.length > 26 && !except.includes(id)) expect(response.text).not.toContain(id);
  }
}

/** The tests of a group, all together, leave the database as it was. */
function useUnchanged(): void {
  let before: object[];
  beforeAll(async () => {
    before = await readAccounts();
  });
  afterAll(async () => expect(await readAccounts()).toEqual(before));
}

/** Keys by what they are limited to, and what each may call; the two protocols share the check, so one kind proves both. */
const kinds: Record<
  string,
  { key: () => Promise<string>; mayCall: (operation: Operation) => boolean; overTrpc?: boolean }
> = {
  'scope read': {
    key: () => fixture.keyOf('read'),
    mayCall: ({ scopes, kind }) => scopes.includes('read') && kind === 'query',
  },
  'scope agent': { key: () => fixture.keyOf('agent'), mayCall: ({ scopes }) => scopes.includes('agent') },
  'scope ingest': {
    key: () => fixture.keyOf('ingest'),
    mayCall: ({ id }) =>
      ['cash.balances.upsert', 'bank.transactions.ingest', 'financials.snapshots.upsert'].includes(id),
    overTrpc: true,
  },
  'two permissions': {
    key: () => fixture.keyOf('human', { permissions: ['cash:write', 'keys:write'] }),
    mayCall: ({ scopes, kind, permission = '' }) =>
      scopes.includes('human') && (kind === 'query' || ['cash:write', 'keys:write'].includes(permission)),
  },
};

test('an agent key cannot read keys, sessions, requests, and the approvals and the activity of people', () => {
  const forPeople = operationList.filter(({ kind, scopes }) => kind === 'query' && !scopes.includes('agent'));
  const names =
    'activity.list apiKeys.get apiKeys.list approvals.inbox bank.approvals.context requests.get requests.list sessions.list';
  expect(forPeople.map(({ id }) => id).toSorted()).toEqual(names.split(' '));
});

/** Calls an operation at each route, optionally over tRPC, with unknown ids and an invalid body. */
async function callBroken(operation: Operation, key: string, overTrpc = false): Promise<ApiResponse[]> {
  const nowhere = Object.fromEntries(pathNames(operation).map((name) => [name, 'nowhere']));
  const hasBody = (method: string): boolean => !['GET', 'DELETE'].includes(method);
  const broken = (method: string) => ({ key, ...(hasBody(method) ? { raw: '{' } : {}) });
  const { http } = operation;
  const routes = [http, ...(http.aliases ?? [])].map((route) =>
    fixture.client.send(route.method, toRestRequest(operation, nowhere, route).target, broken(route.method)),
  );
  if (!overTrpc) return Promise.all(routes);
  const trpc = fixture.client.trpc(operation, nowhere, http.method === 'GET' ? { key } : { key, raw: '{' });
  return Promise.all([...routes, trpc]);
}

describe.each(Object.entries(kinds))('a key of %s', (_, kind) => {
  let key: string;
  beforeAll(async () => {
    key = await kind.key();
  });
  useUnchanged();

  test('gets 403 for operations outside of its scope, at each route, before body and ids are read', async () => {
    for (const operation of operationList) {
      for (const { status, problem, text } of await callBroken(operation, key, kind.overTrpc)) {
        if (kind.mayCall(operation)) expect([200, 400, 404], `${operation.id}: ${text}`).toContain(status);
        else expect([operation.id, status, problem.code]).toEqual([operation.id, 403, 'insufficient_scope']);
      }
    }
  });
});

describe("another account's ids", () => {
  useUnchanged();

  test.each(operationList)('$id handles them like unknown ones, and returns nothing', async (operation) => {
    const own = inputFor(operation, seed);
    const theirs = idsByName(foreign);
    for (const name of pathIds(operation)) {
      const input = { ...own, [name]: idsFor(operation, foreign)[name] };
      const response = await likeUnknown(operation, input, name);
      const code = name === 'company_id' ? 'company_not_found' : 'not_found';
      expect([response.status, response.problem.code], response.text).toEqual([404, code]);
      expectNoIds(response, foreign, [input[name]]);
    }
    for (const name of namedBeside(operation)) {
      const response = await likeUnknown(operation, { ...own, [name]: theirs[name] }, name);
      const statuses = operation.kind === 'query' ? [200, 404, 422] : [404, 409, 422];
      expect(statuses, `${name}: ${response.text}`).toContain(response.status);
      expectNoIds(response, foreign, [theirs[name]].flat());
    }
    const whole = { ...own, ...idsFor(operation, foreign) };
    // With one id in the path it is the call above.
    const ids = pathIds(operation).length;
    if (ids > 1 || (ids === 0 && operation.kind === 'query'))
      expectNoIds(await fixture.client.rest(operation, whole), foreign, Object.values(whole));
  });
});

describe('keys that are limited to another company', () => {
  useUnchanged();

  test.each(operationList)('$id gives them the response for unknown ids', async (operation) => {
    const own = inputFor(operation, seed);
    for (const scope of limitedScopes.filter((one) => operation.scopes.includes(one))) {
      for (const name of pathIds(operation)) {
        const response = await likeUnknown(operation, own, name, beside.keys[scope]);
        expect([scope, name, response.status], response.text).toEqual([scope, name, 404]);
        expectNoIds({ ...response, text: response.problem.detail }, seed);
      }
    }
    for (const name of namedBeside(operation)) {
      // All but the record `name` is of the key's own company.
      const { company_id } = beside;
      const company = namedBeside(operation).includes('company_id') ? { company_id } : {};
      const path = { ...operation.example, ...idsFor(operation, { ...seed, company_id }), ...company };
      const input = { ...path, [name]: idsByName(seed)[name] };
      const response = await likeUnknown(operation, input, name, beside.keys.human);
      const statuses = operation.kind === 'query' ? [200, 404, 422] : [403, 404, 422];
      expect(statuses, `${name}: ${response.text}`).toContain(response.status);
    }
  });
});

describe.each(lists)('$id', (operation) => {
  test('omits companies that the key is not limited to', async () => {
    for (const key of [beside.keys.human, beside.keys.read]) {
      const input = { ...idsFor(operation, { ...seed, company_id: beside.company_id }), limit: 200 };
      const response = await fixture.client.rest(operation, input, { key });
      if (response.status === 404) continue;
      expect(response.status, response.text).toBe(200);
      // A delivery of the key's company names its endpoint, also one that is for all companies.
      expectNoIds(response, seed, [seed.endpoint_id]);
    }
  });

  if (!operation.scopes.includes('agent')) return;
  test('omits the work of another agent for an agent key, also at the same company', async () => {
    const { agent_id, action_id, flag_id, agent_approval_id } = seed;
    const input = { ...idsFor(operation, { ...seed, agent_id: colleague.agent_id }), limit: 200 };
    for (const format of [{}, { format: 'ndjson' }]) {
      const response = await fixture.client.rest(operation, { ...input, ...format }, { key: colleague.key });
      expect(response.status, response.text).toBe(200);
      expectNoIds(response, { agent_id, action_id, flag_id, agent_approval_id });
    }
  });
});

test('a key that is limited to the company with the records reads each of them', async () => {
  const { client } = fixture;
  for (const operation of operationList.filter(({ kind }) => kind === 'query')) {
    // The key and the endpoint are for all companies, and the request is another key's.
    if (pathIds(operation).some((name) => ['key_id', 'endpoint_id', 'request_id'].includes(name))) continue;
    const response = await client.rest(operation, inputFor(operation, seed), { key: inside });
    expect(response.status, `${operation.id}: ${response.text}`).toBe(200);
  }
  for (const list of [operations.events.list, operations.deliveries.list, operations.activity.list]) {
    const { data } = (await client.rest(list, { limit: 200 }, { key: inside })).body;
    expect(data.length, list.id).toBeGreaterThan(2);
    for (const item of data) expect(Reflect.get(item, 'company_id')).toBe(seed.company_id);
  }
});

test('a limited key creates endpoints for its companies only, and manages those', async () => {
  const { client } = fixture;
  const { create, list, update, test: send, delete: remove } = operations.webhookEndpoints;
  const key = beside.keys.human;
  const url = 'http://127.0.0.1:9/narrow';
  const codeOf = async (input: Input) => {
    const { status, problem } = await client.rest(create, { url, ...input }, { key });
    return [status, problem.errors?.[0]?.pointer, problem.errors?.[0]?.code];
  };
  expect(await codeOf({})).toEqual([422, '/company_id', 'required']);
  expect(await codeOf({ company_id: seed.company_id })).toEqual([422, '/company_id', 'company_not_found']);
  const created = await client.rest(create, { url, company_id: beside.company_id }, { key });
  expect(created.status).toBe(201);
  const endpoint_id = created.body.id;
  expect((await client.rest(list, {}, { key })).body.data.map(({ id }) => id)).toEqual([endpoint_id]);
  expect((await client.rest(update, { endpoint_id, description: 'Mine' }, { key })).status).toBe(200);
  const sent = await client.rest(send, { endpoint_id }, { key });
  expect([sent.status, sent.body.company_id]).toEqual([202, beside.company_id]);
  expect((await client.rest(operations.deliveries.get, { delivery_id: sent.body.id }, { key })).status).toBe(200);
  const other = { event_id: seed.event_id, endpoint_id };
  expect((await client.rest(operations.events.redeliver, other, { key })).status).toBe(404);
  expect((await client.rest(remove, { endpoint_id }, { key })).status).toBe(204);
});

test('a limited key creates no company, because it could not read it', async () => {
  const response = await fixture.client.rest(operations.companies.create, { name: 'New' }, { key: beside.keys.human });
  expect([response.status, response.problem.code]).toEqual([403, 'insufficient_scope']);
});
