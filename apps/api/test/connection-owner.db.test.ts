// Risk: a provider's key takes over the connection of another provider for ever.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { ApiResponse, Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';

const fixture = useApi();
const { upsert } = operations.cash.balances;
const { ingest } = operations.bank.transactions;
const { create, revoke, rotate } = operations.apiKeys;
const { getOwner, setOwner } = operations.bank.connections;

const codeOf = ({ status, problem }: ApiResponse) => [status, problem.code];
const owned = [409, 'connection_owned'];
const createKey = (lists: Input = {}) => fixture.client.rest(create, { name: 'Provider', scope: 'ingest', ...lists });
async function keyFor(lists: Input = {}): Promise<{ id: string; key: string }> {
  const response = await createKey(lists);
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}
const balance = (connection_id: string, as: { key: string } | undefined, as_of = '2026-01-01') =>
  fixture.client.rest(
    upsert,
    { company_id: fixture.companyId, connection_id, as_of, balance_cents: 1, currency: 'USD' },
    as && { key: as.key },
  );
const transaction = (connection_id: string, { key }: { key: string }) =>
  fixture.client.rest(
    ingest,
    { company_id: fixture.companyId, ...ingest.example.transactions[0], connection_id, external_id: `${key}-1` },
    { key },
  );
const handOver = (connection_id: string, key_id: string | null, company_id = fixture.companyId) =>
  fixture.client.rest(setOwner, { company_id, connection_id, key_id });
const ownerOf = async (connection_id: string) =>
  (await fixture.client.rest(getOwner, { company_id: fixture.companyId, connection_id })).body.key_id;

test('ingest keys cannot post to a connection that only another active key lists, before and after its first row', async () => {
  const wide = await keyFor();
  const listing = await keyFor({ company_ids: [fixture.companyId], connection_ids: ['acme-1'] });
  expect(codeOf(await balance('acme-1', wide))).toEqual(owned);
  expect(codeOf(await transaction('acme-1', wide))).toEqual(owned);
  expect((await balance('acme-1', listing)).status).toBe(201);
  expect(codeOf(await balance('acme-1', wide, '2026-01-02'))).toEqual(owned);
  expect((await balance('acme-2', wide)).status).toBe(201);
  expect((await balance('acme-1', undefined, '2026-01-03')).status).toBe(201);
  // Listing takes the series of another key away as well, which both of its posts show.
  await keyFor({ connection_ids: ['acme-2'] });
  expect(codeOf(await balance('acme-2', wide))).toEqual(owned);
  expect(codeOf(await transaction('acme-2', wide))).toEqual(owned);
});

test('two active keys cannot list one connection for one company, unless one is a rotation of the other', async () => {
  const { companyId, client } = fixture;
  const elsewhere = (await client.rest(operations.companies.create, { name: 'Elsewhere' })).body.id;
  const first = await keyFor({ company_ids: [companyId], connection_ids: ['main', 'card'] });
  for (const lists of [
    { connection_ids: ['other', 'card'] },
    { connection_ids: ['main'], company_ids: [companyId, elsewhere] },
  ]) {
    const refused = await createKey(lists);
    expect(codeOf(refused)).toEqual(owned);
    expect(refused.problem.detail).toContain(first.id);
  }
  const beside = await keyFor({ company_ids: [elsewhere], connection_ids: ['main'] });
  const next = (await client.rest(rotate, { key_id: first.id })).body;
  expect(next).toMatchObject({ connection_ids: ['main', 'card'] });
  expect(codeOf(await createKey({ connection_ids: ['card'] }))).toEqual(owned);
  for (const { id } of [next, first]) await client.rest(revoke, { key_id: id });
  expect((await createKey({ company_ids: [companyId], connection_ids: ['card'] })).status).toBe(201);
  expect((await client.rest(rotate, { key_id: beside.id })).status).toBe(201);
});

test('two keys of an earlier version that list one connection keep working and can be rotated', async () => {
  const [one, two] = [await keyFor({ connection_ids: ['pair'] }), await keyFor({ connection_ids: ['unpaired'] })];
  await fixture.elsewhere.database.query("UPDATE api_key SET connection_ids = '{pair}' WHERE id = $1", [two.id]);
  expect((await balance('pair', one)).status).toBe(201);
  for (const { id } of [one, two]) expect((await fixture.client.rest(rotate, { key_id: id })).status).toBe(201);
  expect(codeOf(await createKey({ connection_ids: ['pair'] }))).toEqual(owned);
});

test('of two parallel creations of keys for one connection, one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => createKey({ connection_ids: [`race-${round}`] })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  }
});

test('a person moves a series to another key or to none, with an audit row and no event', async () => {
  const [first, second] = [await keyFor(), await keyFor()];
  const rotated = (await fixture.client.rest(rotate, { key_id: second.id })).body;
  expect((await balance('moving', first)).status).toBe(201);
  expect(await ownerOf('moving')).toBe(first.id);
  const counts = () => Promise.all([countRows(fixture, 'event'), countRows(fixture, 'audit_log')]);
  const [events, audits] = await counts();
  const moved = await handOver('moving', rotated.id);
  expect([moved.status, moved.body]).toMatchObject([200, { connection_id: 'moving', key_id: second.id }]);
  expect((await handOver('moving', second.id)).body.key_id).toBe(second.id);
  expect(await counts()).toEqual([events, audits + 1]);
  expect(codeOf(await balance('moving', first))).toEqual(owned);
  expect((await balance('moving', second)).status).toBe(200);
  expect((await transaction('moving', { key: rotated.key })).status).toBe(201);
  expect((await handOver('moving', null)).body.key_id).toBeNull();
  const refused = await balance('moving', second);
  expect([codeOf(refused), refused.problem['owner_scope']]).toEqual([owned, 'human']);
  await handOver('moving', first.id);
  expect((await balance('moving', first)).status).toBe(200);
});

test('rows without a connection can be moved too', async () => {
  const key = await keyFor();
  await fixture.client.rest(upsert, {
    company_id: fixture.companyId,
    as_of: '2026-01-01',
    balance_cents: 1,
    currency: 'USD',
  });
  const post = () =>
    fixture.client.rest(
      ingest,
      { company_id: fixture.companyId, ...ingest.example.transactions[0], connection_id: null },
      { key: key.key },
    );
  expect(codeOf(await post())).toEqual(owned);
  expect((await handOver('none', key.id)).body).toMatchObject({ connection_id: null, key_id: key.id });
  expect((await post()).status).toBe(201);
});

test('a series cannot move to a key that cannot post there, and nothing changes', async () => {
  const elsewhere = (await fixture.client.rest(operations.companies.create, { name: 'Away' })).body.id;
  const owner = await keyFor();
  await balance('kept', owner);
  const ended = await keyFor();
  await fixture.client.rest(revoke, { key_id: ended.id });
  const unfit = [
    (await fixture.client.rest(create, { name: 'Human', scope: 'human' })).body,
    ended,
    await keyFor({ company_ids: [elsewhere] }),
    await keyFor({ connection_ids: ['something-else'] }),
  ];
  for (const { id } of unfit) {
    const refused = await handOver('kept', id);
    expect([refused.status, refused.problem.errors]).toMatchObject([
      422,
      [{ pointer: '/key_id', code: 'not_applicable' }],
    ]);
  }
  const other = await fixture.openTenant('Other');
  const foreign = (await other.client.rest(create, { name: 'Foreign', scope: 'ingest' })).body;
  expect((await handOver('kept', foreign.id)).status).toBe(404);
  expect(codeOf(await handOver('kept', owner.id, other.companyId))).toEqual([404, 'company_not_found']);
  expect(codeOf(await handOver('something-else', owner.id))).toEqual(owned);
  expect((await handOver('conn_01kgw3q2m8v7d5n0r4t6x9zabc', owner.id)).status).toBe(404);
  for (const as of [
    owner.key,
    await fixture.keyOf('read'),
    await fixture.keyOf('human', { permissions: ['cash:write'] }),
  ]) {
    const input = { company_id: fixture.companyId, connection_id: 'kept', key_id: null };
    expect((await fixture.client.rest(setOwner, input, { key: as })).status).toBe(403);
  }
  expect(await ownerOf('kept')).toBe(owner.id);
});
