// Risk: an ingest key reads data, does more than post, or overwrites data of others.
import { type Operation, operations } from '@finhook/contracts';
import { createSignInLink } from '@finhook/core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse, Input } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { signIn } from './sign-in.ts';

const fixture = useApi();
const { upsert: postBalance } = operations.cash.balances;
const { ingest: postTransactions } = operations.bank.transactions;
const { upsert: postSnapshot } = operations.financials.snapshots;

let key: string;
let periodsUsed = 0;

beforeAll(async () => {
  key = await fixture.keyOf('ingest');
});

const codeOf = ({ status, problem }: ApiResponse) => [status, problem.code];
const fieldsOf = ({ problem }: ApiResponse) => problem.errors?.map(({ pointer, code }) => [pointer, code]);

/** The operation's example with a connection, source and external id of its own; a snapshot has no connection. */
function inputOf(operation: Operation, connection_id: string, source = 'api'): Input {
  const { companyId: company_id } = fixture;
  if (operation === postSnapshot) return { company_id, ...postSnapshot.example, source };
  if (operation === postBalance) return { company_id, ...postBalance.example, connection_id, source };
  const [row] = postTransactions.example.transactions;
  return { company_id, transactions: [{ ...row, connection_id, source }] };
}

/** A snapshot of a period that no other test uses. */
function newSnapshot(): Input {
  periodsUsed += 1;
  const period_end = `2025-02-${String(periodsUsed).padStart(2, '0')}`;
  return { ...inputOf(postSnapshot, ''), period_start: '2025-02-01', period_end };
}

async function call(operation: Operation, input: Input, as: string): Promise<ApiResponse> {
  return fixture.client.rest(operation, input, { key: as });
}

test('an ingest key cannot sign in, export or open a stream', async () => {
  const { client } = fixture;
  expect(codeOf(await signIn(client, key))).toEqual([403, 'insufficient_scope']);
  await expect(createSignInLink(fixture.elsewhere, key)).rejects.toMatchObject({ code: 'insufficient_scope' });
  expect((await client.send('GET', '/dashboard/stream', { key })).status).toBe(401);
  const csv = `/api/v1/companies/${fixture.companyId}/cash/balances?format=csv`;
  expect(codeOf(await client.send('GET', csv, { key }))).toEqual([403, 'insufficient_scope']);
});

test('connections and sources beyond the lists of an ingest key are rejected by field', async () => {
  const narrow = await fixture.keyOf('ingest', { connection_ids: ['listed'], sources: ['acme'] });
  const both = [
    ['/connection_id', 'authority_exceeded'],
    ['/source', 'authority_exceeded'],
  ];
  const balance = await call(postBalance, inputOf(postBalance, 'other', 'else'), narrow);
  expect([balance.status, fieldsOf(balance)]).toEqual([422, both]);
  const { connection_id: _, source: __, ...bare } = inputOf(postBalance, 'listed');
  expect(fieldsOf(await call(postBalance, bare, narrow))).toEqual(both);
  const rows = [inputOf(postTransactions, 'listed', 'acme'), inputOf(postTransactions, 'other', 'acme')];
  const transactions = rows.flatMap((input) => input['transactions']);
  const batch = { company_id: fixture.companyId, transactions };
  const rejected = await call(postTransactions, batch, narrow);
  expect(fieldsOf(rejected)).toEqual([['/transactions/1/connection_id', 'authority_exceeded']]);
  const skipped = await call(postTransactions, { ...batch, on_error: 'skip' }, narrow);
  expect(skipped.body).toMatchObject({ inserted: 1, failed: 1, errors: [{ index: 1, code: 'authority_exceeded' }] });
  const snapshot = newSnapshot();
  expect(fieldsOf(await call(postSnapshot, snapshot, narrow))).toEqual([['/source', 'authority_exceeded']]);
  expect((await call(postSnapshot, { ...snapshot, source: 'acme' }, narrow)).status).toBe(201);
  expect((await call(postBalance, inputOf(postBalance, 'listed', 'acme'), narrow)).status).toBe(201);
});

test('only ingest keys have lists of connections and sources, and a registered connection must be of the key', async () => {
  const { client, companyId: company_id } = fixture;
  const { create } = operations.apiKeys;
  const lists = { connection_ids: ['a', 'a'], sources: ['b'] };
  for (const scope of ['human', 'read']) {
    expect(fieldsOf(await client.rest(create, { name: 'Wide', scope, ...lists }))).toEqual([
      ['/connection_ids', 'not_applicable'],
      ['/sources', 'not_applicable'],
    ]);
  }
  const made = await client.rest(create, { name: 'Push', scope: 'ingest', ...lists });
  expect(made.body).toMatchObject({ connection_ids: ['a'], sources: ['b'], company_ids: null });
  const connection = await client.rest(operations.bank.connections.create, { company_id, provider: 'acme' });
  const beside = (await client.rest(operations.companies.create, { name: 'Beside' })).body.id;
  const bound = { name: 'Bound', scope: 'ingest', connection_ids: [connection.body.id] };
  expect((await client.rest(create, { ...bound, company_ids: [company_id] })).status).toBe(201);
  const other = await client.rest(create, { ...bound, company_ids: [beside] });
  expect(fieldsOf(other)).toEqual([['/connection_ids/0', 'connection_not_found']]);
});

describe('a connection belongs to the key that posted its first row', () => {
  test.each([postBalance, postTransactions])('posted by a human key: $id', async (operation) => {
    const { client, companyId } = fixture;
    for (const first of [postBalance, postTransactions]) {
      const name = `human-${first.id}-${operation.id}`;
      expect((await client.rest(first, inputOf(first, name))).status).toBe(201);
      for (const extra of [{}, { dry_run: true }]) {
        const response = await call(operation, { ...inputOf(operation, name), ...extra }, key);
        expect(codeOf(response)).toEqual([409, 'connection_owned']);
        const detail = expect.stringContaining('Send a connection_id of your own.');
        expect(response.problem).toMatchObject({ owner_scope: 'human', detail });
        expect(response.text).not.toMatch(/key_|existing_id/);
      }
    }
    const nameless = { ...postBalance.example, company_id: companyId, connection_id: null };
    expect([200, 201]).toContain((await client.rest(postBalance, nameless)).status);
    expect(codeOf(await call(postBalance, nameless, key))).toEqual([409, 'connection_owned']);
  });

  test('posted by another ingest key; human keys can always post, without taking the connection over', async () => {
    const { client } = fixture;
    const other = await fixture.keyOf('ingest');
    const balance = inputOf(postBalance, 'mine');
    expect((await call(postBalance, balance, key)).status).toBe(201);
    for (const operation of [postBalance, postTransactions]) {
      const response = await call(operation, inputOf(operation, 'mine'), other);
      expect(codeOf(response)).toEqual([409, 'connection_owned']);
      expect(response.problem).toMatchObject({ owner_scope: 'ingest' });
    }
    expect((await client.rest(postBalance, { ...balance, balance_cents: 1 })).body.result).toBe('updated');
    expect((await client.rest(postBalance, { ...balance, as_of: '2026-03-01' })).status).toBe(201);
    expect((await call(postBalance, { ...balance, balance_cents: 2 }, key)).body).toMatchObject({ result: 'updated' });
    expect((await call(postTransactions, inputOf(postTransactions, 'mine'), key)).status).toBe(201);
  });

  test('the same for statement snapshots, whose response shows no other data', async () => {
    const { client } = fixture;
    const [ofHuman, ofKey] = [newSnapshot(), newSnapshot()];
    expect((await client.rest(postSnapshot, ofHuman)).status).toBe(201);
    const replaced = await call(postSnapshot, ofHuman, key);
    expect([codeOf(replaced), replaced.problem['owner_scope']]).toEqual([[409, 'connection_owned'], 'human']);
    const cashflow = { ...ofKey, statement_type: 'cashflow', totals: { net_income: 5 }, line_items: [] };
    expect((await client.rest(postSnapshot, cashflow)).status).toBe(201);
    const mine = await call(postSnapshot, ofKey, key);
    expect(mine.status).toBe(201);
    const checks: { id: string; status: string }[] = Reflect.get(Object(mine.body), 'checks');
    expect(checks.find(({ id }) => id === 'K11')?.status).toBe('skip');
    expect((await client.rest(postSnapshot, ofKey)).body.checks.find(({ id }) => id === 'K11')?.status).toBe('warn');
    expect((await call(postSnapshot, ofKey, key)).status).toBe(200);
    const other = await call(postSnapshot, ofKey, await fixture.keyOf('ingest'));
    expect([codeOf(other), other.problem['owner_scope']]).toEqual([[409, 'connection_owned'], 'ingest']);
  });

  test('of two ingest keys that post at the same time, one stores its rows', async () => {
    const keys = [key, await fixture.keyOf('ingest')];
    for (let round = 0; round < 10; round++) {
      const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
      const posts = keys.flatMap((as) =>
        days.map((as_of) => call(postBalance, { ...inputOf(postBalance, `race-${round}`), as_of }, as)),
      );
      const statuses = (await Promise.all(posts)).map(({ status }) => status);
      const [one, two] = [statuses.slice(0, days.length), statuses.slice(days.length)];
      expect([one, two].map((list) => [...new Set(list)].join()).sort()).toEqual(['201', '409']);
    }
  });

  test('each balance of a batch is checked by itself', async () => {
    const other = await fixture.keyOf('ingest');
    expect((await call(postBalance, inputOf(postBalance, 'shared'), key)).status).toBe(201);
    const posts = [key, other, fixture.apiKey, other, key].map((as, i) =>
      call(postBalance, { ...inputOf(postBalance, 'shared'), as_of: `2026-02-1${i}` }, as),
    );
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([201, 409, 201, 409, 201]);
  });

  test('rotation keeps the limits and connections of a key; during the overlap both keys can post', async () => {
    const { client } = fixture;
    const { create, rotate } = operations.apiKeys;
    const lists = { company_ids: [fixture.companyId], connection_ids: ['turned'], sources: ['acme'] };
    const made = (await client.rest(create, { name: 'Turn', scope: 'ingest', permissions: ['cash:write'], ...lists }))
      .body;
    const balance = inputOf(postBalance, 'turned', 'acme');
    expect((await call(postBalance, balance, made.key)).status).toBe(201);
    const second = (await client.rest(rotate, { key_id: made.id })).body;
    const third = (await client.rest(rotate, { key_id: second.id })).body;
    expect(third).toMatchObject({ scope: 'ingest', permissions: ['cash:write'], ...lists });
    for (const as of [third.key, second.key, made.key])
      expect((await call(postBalance, balance, as)).body).toMatchObject({ result: 'unchanged' });
    expect((await call(postBalance, inputOf(postBalance, 'other', 'acme'), third.key)).status).toBe(422);
    const lacking = await call(postTransactions, inputOf(postTransactions, 'turned', 'acme'), third.key);
    expect(codeOf(lacking)).toEqual([403, 'insufficient_scope']);
  });
});

test('an ingest key shares no Idempotency-Keys with other keys', async () => {
  const headers = { 'idempotency-key': 'shared-by-two' };
  const input = inputOf(postBalance, 'replayed');
  expect((await fixture.client.rest(postBalance, input, { headers })).status).toBe(201);
  const response = await fixture.client.rest(postBalance, input, { headers, key });
  expect(codeOf(response)).toEqual([409, 'connection_owned']);
  const wire = { company_id: fixture.companyId, ...operations.bank.wires.create.example };
  const own = { headers: { 'idempotency-key': 'taken-first' } };
  expect((await fixture.client.rest(postBalance, inputOf(postBalance, 'provider'), { ...own, key })).status).toBe(201);
  expect((await fixture.client.rest(operations.bank.wires.create, wire, own)).status).toBe(201);
});

test('a dry run of an ingest key shows no transaction of another connection', async () => {
  const { client, companyId: company_id } = fixture;
  const [row] = postTransactions.example.transactions;
  const rows = (connection_id: string) =>
    Array.from({ length: 12 }, (_, i) => ({ ...row, connection_id, external_id: `twin-${i}`, amount_cents: -i - 1 }));
  await client.rest(postTransactions, { company_id, transactions: rows('books') });
  const trial = { company_id, transactions: rows('copy'), dry_run: true };
  expect((await client.rest(postTransactions, trial)).text).toContain('books');
  const response = await call(postTransactions, trial, key);
  expect(response.status).toBe(200);
  expect(response.text).not.toContain('books');
});
