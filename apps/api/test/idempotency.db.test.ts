// Risk: a client that repeats a request moves money twice, or cannot find out what its first request did.
import { operations } from '@finhook/contracts';
import { describe, expect, inject, test } from 'vitest';
import type { ApiResponse, Input } from './api-client.ts';
import { countRows, openApiFixture, useApi } from './api-fixture.ts';

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

test('C26: of twenty parallel requests one runs; the others are 409 with Retry-After or its replay', async () => {
  const before = await countRows(fixture, 'event', "type = 'company.created'");
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      fixture.client.rest(operations.companies.create, { name: 'Once' }, withKey('parallel')),
    ),
  );
  const first = responses.find(
    ({ status, headers }) => status === 201 && headers['idempotency-replayed'] === undefined,
  );
  for (const response of responses) {
    if (response.status === 201) expect(response.text).toBe(first?.text);
    else {
      expect([response.status, response.problem.code, response.headers['retry-after']]).toEqual([
        409,
        'idempotency_in_progress',
        '1',
      ]);
      expect(response.problem.retryable).toBe(true);
    }
  }
  expect(
    responses.filter((response) => response.status === 201 && response.headers['idempotency-replayed'] === undefined),
  ).toHaveLength(1);
  expect((await fixture.client.rest(operations.companies.create, { name: 'Once' }, withKey('parallel'))).text).toBe(
    first?.text,
  );
  expect(await countRows(fixture, 'event', "type = 'company.created'")).toBe(before + 1);
});

test('an invalid key is told before what is wrong with the body', async () => {
  const bad = { body: { name: 5 }, headers: { 'idempotency-key': 'a b' } };
  const rest = await fixture.client.send('POST', '/api/v1/companies', bad);
  expect([rest.status, rest.problem.code]).toEqual([400, 'invalid_idempotency_key']);
  const trpc = await fixture.client.send<{ error: object }>('POST', '/trpc/companies.create', bad);
  expect([trpc.status, trpc.body.error]).toMatchObject([
    400,
    { data: { problem: { code: 'invalid_idempotency_key' } } },
  ]);
});

test('C26: over tRPC a batch of several calls under one key is rejected as a whole, before anything is done', async () => {
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

test('a key belongs to its account', async () => {
  const other = await fixture.openTenant('Neighbour');
  const input = { name: 'Same key' };
  const mine = await fixture.client.rest(operations.companies.create, input, withKey('shared'));
  const theirs = await other.client.rest(operations.companies.create, input, withKey('shared'));
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.body.id).not.toBe(mine.body.id);
  expect(theirs.headers['idempotency-replayed']).toBeUndefined();
});

describe('C28: the key is free again', () => {
  test('after a 422, whether the schema or the domain refused', async () => {
    for (const [key, bad] of [
      ['schema', balance('never')],
      ['domain', balance('1960-01-01')],
    ] as const) {
      expect((await postBalance(bad, key)).status).toBe(422);
      const good = await postBalance(balance('2026-01-05'), key);
      expect([good.status < 300, good.headers['idempotency-replayed']]).toEqual([true, undefined]);
    }
  });

  test('after a 404, 413 and 400', async () => {
    const target = `/api/v1/companies/${fixture.companyId}/bank/transactions`;
    const row = { external_id: 'free', posted_at: '2026-01-01T00:00:00Z', amount_cents: 1 };
    const rejections: [string, number, () => Promise<ApiResponse>][] = [
      ['404', 404, () => postBalance({ ...balance('2026-01-06'), company_id: 'co_unknown' }, 'after-404')],
      [
        '413',
        413,
        () =>
          fixture.client.send('POST', target, {
            body: { transactions: Array.from({ length: 501 }, () => row) },
            ...withKey('after-413'),
          }),
      ],
      ['400', 400, () => fixture.client.send('POST', target, { raw: '{', ...withKey('after-400') })],
    ];
    for (const [name, status, refuse] of rejections) {
      expect((await refuse()).status).toBe(status);
      const good = await postBalance(balance('2026-01-06'), `after-${name}`);
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
    const limited = await openApiFixture(inject('pgUrl'), {
      databaseUrl: fixture.databaseUrl,
      rateLimits: { requests: 1, windowSeconds: 600 },
    });
    try {
      await limited.client.rest(operations.me.get);
      const rejected = await limited.client.rest(operations.companies.create, { name: 'Later' }, withKey('k'));
      expect(rejected.status).toBe(429);
      expect(await countRows(limited, 'idempotency_key', 'account_id = $1', [limited.accountId])).toBe(0);
    } finally {
      await limited.close();
    }
  });
});

test('a 409 of the domain is replayed with the same bytes', async () => {
  const company_id = (await fixture.client.rest(operations.companies.create, { name: 'Gone' })).body.id;
  await fixture.elsewhere.database.query(
    "UPDATE company SET status = 'dissolved', dissolved_at = now() WHERE id = $1",
    [company_id],
  );
  const post = () => postBalance({ ...balance('2026-01-08'), company_id }, 'dissolved');
  const first = await post();
  expect([first.status, first.problem.code]).toEqual([409, 'company_dissolved']);
  await fixture.elsewhere.database.query("UPDATE company SET status = 'active' WHERE id = $1", [company_id]);
  const replay = await post();
  expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([409, 'true']);
  expect(replay.text).toBe(first.text);
  expect(replay.headers['content-type']).toBe(first.headers['content-type']);
  const trpcFirst = await fixture.client.trpc(operations.cash.balances.upsert, {
    ...balance('2026-01-08'),
    company_id,
  });
  expect(trpcFirst.status).toBe(200);
});

test('C29: the lease of a request that died runs out, and its key may be used again', async () => {
  await postBalance(balance('2026-01-09', 7), 'crashed');
  await fixture.elsewhere.database.query(
    "UPDATE idempotency_key SET outcome = NULL, locked_until = now() + interval '60 seconds' WHERE key = 'crashed'",
  );
  const waiting = await postBalance(balance('2026-01-09', 7), 'crashed');
  expect([waiting.status, waiting.problem.code]).toEqual([409, 'idempotency_in_progress']);
  await fixture.elsewhere.database.query(
    "UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE key = 'crashed'",
  );
  const again = await postBalance(balance('2026-01-09', 7), 'crashed');
  expect([again.status, again.body.result]).toEqual([200, 'unchanged']);
});

test('a replay tells unknown fields as the first response did', async () => {
  const input = { ...balance('2026-01-10'), typo: 1 };
  const first = await postBalance(input, 'warned');
  expect(first.body.warnings).toMatchObject([{ pointer: '/typo' }]);
  expect((await postBalance(input, 'warned')).text).toBe(first.text);
});

test('a replay needs the scope that the first request needed', async () => {
  const readKey = await fixture.keyOf('read');
  await postBalance(balance('2026-01-11'), 'scoped');
  const response = await fixture.client.rest(operations.cash.balances.upsert, balance('2026-01-11'), {
    key: readKey,
    ...withKey('scoped'),
  });
  expect(response.status).toBe(403);
});

describe('S3: S8: what a replay would tell', () => {
  const { upsert } = operations.cash.balances;
  const { create: createKey } = operations.apiKeys;
  const { create: createCompany } = operations.companies;
  const newKey = async (input: Input): Promise<string> =>
    (await fixture.client.rest(createKey, { name: 'Other', scope: 'human', ...input })).body.key;

  test('a minted key is told again to whoever minted it, and to no other key', async () => {
    const minted = { name: 'Minted', scope: 'read' };
    const asMaker = { ...withKey('minted'), key: await newKey({}) };
    const first = await fixture.client.rest(createKey, minted, asMaker);
    expect(first.status).toBe(201);
    for (const limits of [{}, { permissions: ['keys:write'] }, { company_ids: [fixture.companyId] }]) {
      const response = await fixture.client.rest(createKey, minted, {
        ...withKey('minted'),
        key: await newKey(limits),
      });
      expect(response.headers['idempotency-replayed']).toBeUndefined();
      expect(response.text).not.toContain(first.body.key);
      expect(response.body.id).not.toBe(first.body.id);
    }
    expect((await fixture.client.rest(createKey, minted, asMaker)).text).toBe(first.text);
  });

  test('a key that is narrowed to one company is not told what was returned about another', async () => {
    const { body: other } = await fixture.client.rest(createCompany, { name: 'Other' });
    const key = await newKey({ company_ids: [fixture.companyId] });
    const input = { ...balance('2026-01-12', 4_242), company_id: other.id };
    const first = await postBalance(input, 'of-another');
    expect(first.status).toBe(201);
    const response = await fixture.client.rest(upsert, input, { ...withKey('of-another'), key });
    expect([response.status, response.problem.code]).toEqual([404, 'company_not_found']);
    expect(response.text).not.toContain('4242');
  });

  test('the responses of an API key are replayed to its rotation and to no other key of the account', async () => {
    const { rotate } = operations.apiKeys;
    const old = (await fixture.client.rest(createKey, { name: 'Old', scope: 'human' })).body;
    const rotated = (await fixture.client.rest(rotate, { key_id: old.id }, { key: old.key })).body.key;
    const input = balance('2026-01-13');
    const [first, replayed, other] = [
      await fixture.client.rest(upsert, input, { ...withKey('of-one-key'), key: old.key }),
      await fixture.client.rest(upsert, input, { ...withKey('of-one-key'), key: rotated }),
      await fixture.client.rest(upsert, input, { ...withKey('of-one-key'), key: await newKey({}) }),
    ];
    expect([first.status, replayed.text, other.body.result]).toEqual([201, first.text, 'unchanged']);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(other.headers['idempotency-replayed']).toBeUndefined();
  });
});
