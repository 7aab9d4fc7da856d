// Risk: an integrator cannot see what became of a request, sees another's, or finds a secret in the log.
import { operations } from '@finhook/contracts';
import { expect, inject, test } from 'vitest';
import type { ApiResponse, Input } from './api-client.ts';
import { openApiFixture, useApi } from './api-fixture.ts';
import { cookieOf, signIn } from './sign-in.ts';

const fixture = useApi();
const { requests, companies, me } = operations;

const idOf = ({ headers }: ApiResponse): string => String(headers['x-request-id']);

/** The log is written after the response. */
async function logged(response: ApiResponse, key = fixture.apiKey) {
  const get = () => fixture.client.rest(requests.get, { request_id: idOf(response) }, { key });
  await expect.poll(async () => (await get()).status).toBe(200);
  return (await get()).body;
}

test('a request over REST is logged with its operation, result and key', async () => {
  const headers = { 'user-agent': 'provider/1.2', 'idempotency-key': 'march' };
  const send = () => fixture.client.rest(companies.create, { name: 'Acme' }, { headers });
  const [first, second] = [await send(), await send()];
  const { api_key: key } = (await fixture.client.rest(me.get)).body;
  const entry = await logged(first);
  expect(entry).toEqual({
    id: idOf(first),
    object: 'request',
    account_id: fixture.accountId,
    created_at: expect.stringMatching(/Z$/),
    method: 'POST',
    path: '/api/v1/companies',
    operation: 'companies.create',
    status: 201,
    code: null,
    duration_ms: expect.any(Number),
    key_id: key.id,
    ip: '127.0.0.1',
    user_agent: 'provider/1.2',
    idempotency_key: 'march',
    idempotency_replayed: false,
  });
  expect(entry.duration_ms).toBeGreaterThan(0);
  expect(await logged(second)).toMatchObject({ status: 201, idempotency_replayed: true });
});

test.each<[name: string, send: () => Promise<ApiResponse>, expected: object]>([
  [
    'an invalid field over REST',
    () => fixture.client.rest(companies.create, { name: '' }),
    { status: 422, code: 'validation_failed', operation: 'companies.create' },
  ],
  [
    'an unknown record over tRPC',
    () => fixture.client.trpc(companies.get, { company_id: 'co_none' }),
    { status: 404, code: 'company_not_found', operation: 'companies.get', path: '/trpc/companies.get' },
  ],
  [
    'a batch',
    () => fixture.client.send('GET', '/trpc/me.get,me.get?batch=1&input={}'),
    { status: 200, code: null, operation: null },
  ],
  [
    'a permission that the key lacks',
    async () => fixture.client.rest(companies.create, { name: 'No' }, { key: await fixture.keyOf('read') }),
    { status: 403, code: 'insufficient_scope' },
  ],
  [
    'a query, which is not kept',
    () => fixture.client.send('GET', '/api/v1/companies?q=private'),
    { status: 200, path: '/api/v1/companies' },
  ],
])('%s is logged', async (_, send, expected) => {
  expect(await logged(await send())).toMatchObject(expected);
});

test('each filter selects its rows', async () => {
  const { client, keyOf } = await fixture.openTenant('Filters');
  const key = await keyOf('read');
  const me1 = await client.rest(me.get, {}, { key });
  const missing = await client.rest(companies.get, { company_id: 'co_none' });
  const fine = await client.rest(companies.list);
  const ids = async (filter: Input) =>
    (await client.rest(requests.list, { limit: 200, ...filter })).body.data.map(({ id }) => id);
  await expect.poll(() => ids({})).toEqual(expect.arrayContaining([me1, missing, fine].map(idOf)));
  const own = (await client.rest(me.get, {}, { key })).body.api_key.id;
  expect(await ids({ outcome: 'failed' })).toEqual([idOf(missing)]);
  expect(await ids({ outcome: 'succeeded' })).toContain(idOf(fine));
  expect(await ids({ outcome: 'succeeded' })).not.toContain(idOf(missing));
  expect(await ids({ code: 'company_not_found' })).toEqual([idOf(missing)]);
  expect(await ids({ operation: 'companies.list' })).toEqual([idOf(fine)]);
  expect(await ids({ key_id: own })).toContain(idOf(me1));
  expect(await ids({ key_id: own })).not.toContain(idOf(fine));
  expect(await ids({ created_to: '2020-01-01T00:00:00Z' })).toEqual([]);
});

test("another account's requests are unknown, and a key limited to companies sees its own only", async () => {
  const stranger = await fixture.openTenant('Stranger');
  const theirs = await stranger.client.rest(me.get);
  await expect
    .poll(async () => (await stranger.client.rest(requests.get, { request_id: idOf(theirs) })).status)
    .toBe(200);
  expect((await fixture.client.rest(requests.get, { request_id: idOf(theirs) })).problem.code).toBe('not_found');

  const limited = await fixture.keyOf('read', { company_ids: [fixture.companyId] });
  const whole = await fixture.client.rest(me.get);
  const own = await fixture.client.rest(me.get, {}, { key: limited });
  await logged(whole);
  await logged(own, limited);
  const hidden = await fixture.client.rest(requests.get, { request_id: idOf(whole) }, { key: limited });
  expect(hidden.problem.code).toBe('not_found');
  const seen = (await fixture.client.rest(requests.list, { limit: 200 }, { key: limited })).body.data;
  expect(new Set(seen.map(({ key_id }) => key_id))).toEqual(
    new Set([(await fixture.client.rest(me.get, {}, { key: limited })).body.api_key.id]),
  );
});

test('a stop flushes the log; requests of the dashboard and without a valid key are not logged', async () => {
  const api = await openApiFixture(inject('pgUrl'), { databaseUrl: fixture.databaseUrl });
  const { client } = api;
  const key = fixture.apiKey;
  const signedIn = await signIn(client, key);
  const cookie = cookieOf(signedIn);
  const byDashboard = await client.send('GET', '/trpc/me.get', { headers: { cookie }, key: null });
  expect(byDashboard.status).toBe(200);
  const unknown = await client.rest(me.get, {}, { key: `sk_live_${'x'.repeat(36)}` });
  const last = await client.rest(me.get, {}, { key });
  await api.close();
  const rows = await fixture.elsewhere.database.query<{ id: string }>(
    'SELECT id FROM request_log WHERE id = ANY ($1)',
    [[signedIn, byDashboard, unknown, last].map(idOf)],
  );
  expect(rows).toEqual([{ id: idOf(last) }]);
});
