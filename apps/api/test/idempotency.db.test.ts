// Risk: a repeated request moves money twice, or its client cannot find out what the first one did.
import { operations } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import type { Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';

const fixture = useApi();

const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': key } });
const balance = (day: string, cents = 1): Input => ({
  company_id: fixture.companyId,
  as_of: day,
  balance_cents: cents,
  currency: 'USD',
  connection_id: 'idempotent',
});
const postBalance = (input: Input, key: string) =>
  fixture.client.rest(operations.cash.balances.upsert, input, withKey(key));

function effects(): Promise<number[]> {
  return Promise.all(['event', 'audit_log', 'delivery', 'due'].map((table) => countRows(fixture, table)));
}

test('of parallel requests one runs; the others are 409 with Retry-After or its replay', async () => {
  const send = () => fixture.client.rest(operations.companies.create, { name: 'Once' }, withKey('parallel'));
  const responses = await Promise.all(Array.from({ length: 8 }, send));
  const created = responses.filter(({ status }) => status === 201);
  expect(created.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  expect(new Set([...created, await send()].map(({ text }) => text)).size).toBe(1);
  for (const { status, problem, headers } of responses.filter((response) => response.status !== 201)) {
    expect([status, problem.code, problem.retryable]).toEqual([409, 'idempotency_in_progress', true]);
    expect(headers['retry-after']).toBe('1');
  }
});

test('an invalid key is reported before errors of the body', async () => {
  const bad = { body: { name: 5 }, headers: { 'idempotency-key': 'a b' } };
  const rest = await fixture.client.send('POST', '/api/v1/companies', bad);
  expect([rest.status, rest.problem.code]).toEqual([400, 'invalid_idempotency_key']);
  const trpc = await fixture.client.send<{ error: object }>('POST', '/trpc/companies.create', bad);
  expect([trpc.status, trpc.body.error]).toMatchObject([
    400,
    { data: { problem: { code: 'invalid_idempotency_key' } } },
  ]);
});

test('over tRPC a batch of several calls under one key is rejected as a whole, without effect', async () => {
  const { id } = operations.cash.balances.upsert;
  const inputs = [balance('2026-01-20'), balance('2026-01-21')];
  const post = (...batch: Input[]) =>
    fixture.client.send<{ error?: object }>('POST', `/trpc/${batch.map(() => id).join()}?batch=1`, {
      body: Object.fromEntries(batch.entries()),
      ...withKey('batch'),
    });
  const before = await effects();
  const { status, body } = await post(...inputs);
  expect([status, body.error]).toMatchObject([400, { data: { problem: { code: 'invalid_idempotency_key' } } }]);
  expect(await effects()).toEqual(before);
  for (const replayed of [undefined, 'true']) {
    const one = await post(balance('2026-01-20'));
    expect([one.status, one.headers['idempotency-replayed']]).toEqual([200, replayed]);
  }
});

describe('the key is free again', () => {
  test('after a 422 of the schema or of the domain', async () => {
    for (const [key, bad] of [
      ['schema', balance('never')],
      ['domain', balance('1960-01-01')],
    ] as const) {
      expect((await postBalance(bad, key)).status).toBe(422);
      const good = await postBalance(balance('2026-01-05'), key);
      expect([good.status < 300, good.headers['idempotency-replayed']]).toEqual([true, undefined]);
    }
  });

  test('after a 500', async () => {
    const { database } = fixture.elsewhere;
    await database.owner.query('ALTER TABLE cash_balance RENAME TO cash_balance_away');
    const failed = await postBalance(balance('2026-01-07'), 'after-500');
    await database.owner.query('ALTER TABLE cash_balance_away RENAME TO cash_balance');
    expect(failed.status).toBe(500);
    const good = await postBalance(balance('2026-01-07'), 'after-500');
    expect([good.status, good.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  test('after a 429', async () => {
    const limited = await fixture.openBeside({
      rateLimits: { requests: 1, windowSeconds: 600 },
    });
    await limited.client.rest(operations.me.get);
    const rejected = await limited.client.rest(operations.companies.create, { name: 'Later' }, withKey('k'));
    expect(rejected.status).toBe(429);
    expect(await countRows(limited, 'idempotency_key', 'account_id = $1', [limited.accountId])).toBe(0);
  });
});

test('the same body with another query is another request', async () => {
  const post = (query: string) =>
    fixture.client.send<{ code?: string }>('POST', `/api/v1/companies/${fixture.companyId}/bank/transactions${query}`, {
      body: { external_id: 'query', posted_at: '2026-01-09T12:00:00Z', amount_cents: 1, description: 'Rent' },
      ...withKey('query'),
    });
  expect((await post('')).status).toBe(201);
  const other = await post('?on_error=skip');
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reuse']);
  expect((await post('')).headers['idempotency-replayed']).toBe('true');
});

test.each(['rest', 'trpc'] as const)(
  'over %s a 409 of the domain is replayed with the same bytes',
  async (protocol) => {
    const company_id = (await fixture.client.rest(operations.companies.create, { name: 'Gone' })).body.id;
    await fixture.elsewhere.database.query(
      "UPDATE company SET status = 'dissolved', dissolved_at = now() WHERE id = $1",
      [company_id],
    );
    const input = { ...balance('2026-01-08'), company_id };
    const post = () =>
      fixture.client[protocol](operations.cash.balances.upsert, input, withKey(`dissolved-${protocol}`));
    const first = await post();
    expect([first.status, first.text]).toEqual([409, expect.stringContaining('company_dissolved')]);
    await fixture.elsewhere.database.query("UPDATE company SET status = 'active' WHERE id = $1", [company_id]);
    const replay = await post();
    expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([409, 'true']);
    expect(replay.text).toBe(first.text);
    expect(replay.headers['content-type']).toBe(first.headers['content-type']);
  },
);

test('a replay has the same warnings about unknown fields', async () => {
  const input = { ...balance('2026-01-10'), typo: 1 };
  const first = await postBalance(input, 'warned');
  expect(first.body.warnings).toMatchObject([{ pointer: '/typo' }]);
  expect((await postBalance(input, 'warned')).text).toBe(first.text);
});
