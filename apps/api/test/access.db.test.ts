// Risk: a key that was narrowed to a company, or to an agent, sees or changes something of another company.
import { type Operation, operationList, operations } from '@finhook/contracts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Input } from './api-client.ts';
import { type ApiFixture, openApiFixture, pathNames, waitForSettledFeed } from './api-fixture.ts';
import { anonymousProblem, idsFor, inputFor } from './operation-walk.ts';
import { type Seed, seedTenant } from './seed-tenant.ts';

/** A company beside the one that holds everything, and keys that reach it only. */
interface Narrow {
  companyId: string;
  human: string;
  read: string;
  agent: string;
}

let fixture: ApiFixture;
let seed: Seed;
let narrow: Narrow;
/** A key of the company that holds everything. */
let inside: string;
/** An agent beside the one whose work is there, at the same company. */
let colleague: { agent_id: string; key: string };

beforeAll(async () => {
  fixture = await openApiFixture(inject('pgUrl'));
  seed = await seedTenant(fixture);
  const { client, keyOf } = fixture;
  const { put } = operations.runtimeSnapshots;
  await client.rest(put, inputFor(put, seed));
  const companyId = (await client.rest(operations.companies.create, { name: 'Beside' })).body.id;
  const agent = await client.rest(operations.agents.create, {
    ...operations.agents.create.example,
    company_id: companyId,
  });
  const company_ids = [companyId];
  narrow = {
    companyId,
    human: await keyOf('human', { company_ids }),
    read: await keyOf('read', { company_ids }),
    agent: await keyOf('agent', { agent_id: agent.body.id }),
  };
  inside = await keyOf('human', { company_ids: [seed.company_id] });
  const beside = { ...operations.agents.create.example, company_id: seed.company_id };
  const agent_id = (await client.rest(operations.agents.create, beside)).body.id;
  colleague = { agent_id, key: await keyOf('agent', { agent_id }) };
  await waitForSettledFeed(fixture);
});

afterAll(() => fixture.close());

const isId = (name: string): boolean => name.endsWith('_id');
const unknownLike = (id: unknown): string => `${String(id).split('_')[0]}_${'0'.repeat(26)}`;
const withPath = operationList.filter((operation) => pathNames(operation).some(isId));
const lists = operationList.filter(({ kind, id }) => kind === 'query' && /list$/i.test(id) && id !== 'eventTypes.list');

/** Fields of an operation's input that name a company or an agent, outside of its path. */
function bodyIds(operation: Operation): string[] {
  const shape: unknown = Reflect.get(operation.input, 'shape');
  const names = Object.keys(Object(shape)).filter((name) => name === 'company_id' || name === 'agent_id');
  return operation.kind === 'mutation' ? names.filter((name) => !pathNames(operation).includes(name)) : [];
}

describe.each(withPath)('$id', (operation) => {
  test.each(['human', 'read', 'agent'] as const)(
    'S3: S7: by a %s key of another company its ids get the same response as unknown ones',
    async (kind) => {
      if (!operation.scopes.includes(kind)) return;
      const key = narrow[kind];
      for (const name of pathNames(operation).filter(isId)) {
        const own = inputFor(operation, seed);
        for (const protocol of ['rest', 'trpc'] as const) {
          const unknown = await fixture.client[protocol](
            operation,
            { ...own, [name]: unknownLike(own[name]) },
            { key },
          );
          const known = await fixture.client[protocol](operation, own, { key });
          expect(known.status, `${name}: ${known.text}`).toBe(404);
          expect(anonymousProblem(known)).toEqual(anonymousProblem(unknown));
          for (const id of Object.values(idsFor(operation, seed))) expect(known.problem.detail).not.toContain(id);
        }
      }
    },
  );
});

describe.each(operationList.filter((operation) => bodyIds(operation).length > 0))('$id', (operation) => {
  test('S3: a company or agent that its body names is rejected like an unknown one', async () => {
    for (const name of bodyIds(operation)) {
      const ids: Input = { ...seed };
      // What stands in the path is in reach; what the body names is not.
      const path = { ...idsFor(operation, seed), company_id: narrow.companyId };
      const input = { ...operation.example, ...path };
      const known = await fixture.client.rest(operation, { ...input, [name]: ids[name] }, { key: narrow.human });
      const unknown = await fixture.client.rest(
        operation,
        { ...input, [name]: unknownLike(ids[name]) },
        { key: narrow.human },
      );
      expect([404, 422], known.text).toContain(known.status);
      expect(anonymousProblem(known)).toEqual(anonymousProblem(unknown));
    }
  });
});

describe.each(lists)('$id', (operation) => {
  test('S3: holds nothing of companies that the key does not reach', async () => {
    // A delivery of its own company names the endpoint, also one that is for all companies.
    const ids = Object.values(seed).filter((id) => id.includes('_') && id.length > 26 && id !== seed.endpoint_id);
    for (const key of [narrow.human, narrow.read]) {
      const input = { ...idsFor(operation, { ...seed, company_id: narrow.companyId }), limit: 200 };
      const response = await fixture.client.rest(operation, input, { key });
      if (response.status === 404) continue;
      expect(response.status, response.text).toBe(200);
      for (const id of ids) expect(response.text).not.toContain(id);
    }
  });
});

describe.each(lists)('$id', (operation) => {
  test('S7: tells the key of an agent at the same company nothing of another agent’s work', async () => {
    if (!operation.scopes.includes('agent')) return;
    const { agent_id, action_id, flag_id, agent_approval_id } = seed;
    const input = { ...idsFor(operation, { ...seed, agent_id: colleague.agent_id }), limit: 200 };
    for (const format of [{}, { format: 'ndjson' }]) {
      const response = await fixture.client.rest(operation, { ...input, ...format }, { key: colleague.key });
      expect(response.status, response.text).toBe(200);
      for (const id of [agent_id, action_id, flag_id, agent_approval_id]) expect(response.text).not.toContain(id);
    }
  });
});

test('S3: a key of the company that holds everything finds it there', async () => {
  const { client } = fixture;
  for (const operation of operationList.filter(({ kind }) => kind === 'query')) {
    const names = pathNames(operation).filter(isId);
    // These belong to the account: the key and the endpoint were made for all companies, the spare agent for none.
    if (names.some((name) => ['key_id', 'endpoint_id'].includes(name))) continue;
    const response = await client.rest(operation, inputFor(operation, seed), { key: inside });
    expect(response.status, `${operation.id}: ${response.text}`).toBe(200);
  }
  for (const list of [operations.events.list, operations.deliveries.list, operations.activity.list]) {
    const { data } = (await client.rest(list, { limit: 200 }, { key: inside })).body;
    expect(data.length, list.id).toBeGreaterThan(2);
    for (const item of data) expect(Reflect.get(item, 'company_id')).toBe(seed.company_id);
  }
});

test('S3: a narrowed key makes endpoints for its companies only, and manages those', async () => {
  const { client } = fixture;
  const { create, list, update, test: send, delete: remove } = operations.webhookEndpoints;
  const key = narrow.human;
  const url = 'http://127.0.0.1:9/narrow';
  const codeOf = async (input: Input) => {
    const { status, problem } = await client.rest(create, { url, ...input }, { key });
    return [status, problem.errors?.[0]?.pointer, problem.errors?.[0]?.code];
  };
  expect(await codeOf({})).toEqual([422, '/company_id', 'required']);
  expect(await codeOf({ company_id: seed.company_id })).toEqual([422, '/company_id', 'company_not_found']);
  const made = await client.rest(create, { url, company_id: narrow.companyId }, { key });
  expect(made.status).toBe(201);
  const endpoint_id = made.body.id;
  expect((await client.rest(list, {}, { key })).body.data.map(({ id }) => id)).toEqual([endpoint_id]);
  expect((await client.rest(update, { endpoint_id, description: 'Mine' }, { key })).status).toBe(200);
  const sent = await client.rest(send, { endpoint_id }, { key });
  expect([sent.status, sent.body.company_id]).toEqual([202, narrow.companyId]);
  expect((await client.rest(operations.deliveries.get, { delivery_id: sent.body.id }, { key })).status).toBe(200);
  const foreign = { event_id: seed.event_id, endpoint_id };
  expect((await client.rest(operations.events.redeliver, foreign, { key })).status).toBe(404);
  expect((await client.rest(remove, { endpoint_id }, { key })).status).toBe(204);
});

test('S3: a narrowed key creates no company: it could not see it', async () => {
  const response = await fixture.client.rest(operations.companies.create, { name: 'New' }, { key: narrow.human });
  expect([response.status, response.problem.code]).toEqual([403, 'insufficient_scope']);
});
