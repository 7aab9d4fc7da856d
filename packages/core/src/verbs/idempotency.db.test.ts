// Risk: a retried request runs twice, or its key stays blocked after a crash or an error.
import { expect, test } from 'vitest';
import { atOnce } from '../../test/at-once.ts';
import { useFixture } from '../../test/core-fixture.ts';
import { useRawClient } from '../../test/raw-client.ts';
import { claimKey, runIdempotent } from '../../test/run-idempotent.ts';
import { changesBetween, readTables } from '../../test/table-state.ts';
import type { Queryable } from '../db/queryable.ts';
import { createApiKey } from '../modules/accounts/api-keys/create.ts';
import { ingestTransactions } from '../modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from '../modules/cash/balances/upsert.ts';
import { createCompany } from '../modules/companies/create.ts';
import { upsertSnapshot } from '../modules/financials/statements/upsert.ts';
import type { Context } from './context.ts';
import { DomainError } from './domain-error.ts';
import { beginIdempotent, purgeIdempotencyKeys } from './idempotency.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
const { context } = fixture;

const codeOf = (error: unknown): string => (error instanceof DomainError ? error.code : String(error));
const inProgress = { code: 'idempotency_in_progress' };
const reused = { code: 'idempotency_key_reuse' };
const address = (key: string, body = 'body') => ({
  key,
  fingerprint: ['POST', '/path', '', body],
  secret: false,
});
const count = async (table: string): Promise<number> =>
  Number((await context.database.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
const outcomeOf = async (key: string): Promise<string | null | undefined> =>
  (
    await context.database.query<{ outcome: string | null }>('SELECT outcome FROM idempotency_key WHERE key = $1', [
      key,
    ])
  )[0]?.outcome;
const endLease = (key: string) =>
  context.database.query("UPDATE idempotency_key SET locked_until = now() - interval '1 ms' WHERE key = $1", [key]);

const verbs = {
  balance: (c: Context) =>
    upsertCashBalance(c, { company_id: fixture.companyId, as_of: '2026-01-05', balance_cents: 5, currency: 'USD' }),
  transactions: (c: Context) =>
    ingestTransactions(c, {
      company_id: fixture.companyId,
      transactions: [{ external_id: 'idem', posted_at: '2026-01-05T00:00:00Z', amount_cents: 1 }],
    }),
  snapshot: (c: Context) =>
    upsertSnapshot(c, {
      company_id: fixture.companyId,
      statement_type: 'balance',
      period_end: '2026-01-31',
      currency: 'USD',
      totals: { cash: 1 },
    }),
  company: (c: Context) => createCompany(c, { name: 'Twice Inc' }),
};

test.each(Object.entries(verbs))(
  '16 parallel equal requests run %s once, and all replay the same bytes',
  async (name, verb) => {
    const events = await count('event');
    const audits = await count('audit_log');
    const request = { key: `parallel-${name}`, body: 'same' };
    const { results: answers, errors } = await atOnce(16, () => runIdempotent(context, request, verb));
    const [first, ...others] = answers.filter(({ replayed }) => !replayed);
    expect(others).toEqual([]);
    expect(errors.map(codeOf).filter((code) => code !== 'idempotency_in_progress')).toEqual([]);
    const later = await runIdempotent(context, request, verb);
    const replays = [...answers, later].filter(({ replayed }) => replayed);
    for (const replay of replays) expect(JSON.stringify(replay.outcome)).toBe(JSON.stringify(first?.outcome));
    expect(await count('event')).toBe(events + 1);
    expect(await count('audit_log')).toBe(audits + 1);
  },
);

test('the same key with another body is rejected and has no effect', async () => {
  await runIdempotent(context, { key: 'reuse', body: 'one' }, verbs.company);
  const before = await readTables(raw);
  await expect(runIdempotent(context, { key: 'reuse', body: 'two' }, verbs.company)).rejects.toMatchObject(reused);
  expect(changesBetween(before, await readTables(raw))).toEqual({});
});

test('the same key of another account is another key', async () => {
  const other = await fixture.otherAccount();
  await runIdempotent(context, { key: 'shared', body: 'a' }, verbs.company);
  const result = await runIdempotent(other.context, { key: 'shared', body: 'b' }, verbs.company);
  expect(result.replayed).toBe(false);
});

test('a rejected request frees its key for the corrected one', async () => {
  const bad = (c: Context) =>
    upsertCashBalance(c, { company_id: fixture.companyId, as_of: '1969-12-31', balance_cents: 1, currency: 'USD' });
  await expect(runIdempotent(context, { key: 'freed', body: 'bad' }, bad)).rejects.toMatchObject({
    code: 'validation_failed',
  });
  expect(await outcomeOf('freed')).toBeUndefined();
  const good = await runIdempotent(context, { key: 'freed', body: 'good' }, verbs.balance);
  expect(good.replayed).toBe(false);
});

test('a 409 is kept and repeated, like a success', async () => {
  const begun = await claimKey(context, address('conflict'));
  await begun.reject(context.database, 409, { code: 'limit_reached' });
  expect(begun.completed).toBe(true);
  await begun.release(context.database);
  const replay = { replay: { ok: false, status: 409, problem: { code: 'limit_reached' } } };
  expect(await beginIdempotent(context, address('conflict'))).toEqual(replay);
});

test('the key of a killed connection is leased for 60 s, then free, and nothing is stored twice', async () => {
  const before = await count('bank_transaction');
  const begun = await claimKey(context, address('killed'));
  const dying = ingestTransactions(
    {
      ...context,
      idempotency: {
        ...begun,
        async complete(db, output) {
          await begun.complete(db, output);
          await db.query('SELECT pg_terminate_backend(pg_backend_pid())');
        },
      },
    },
    {
      company_id: fixture.companyId,
      transactions: [{ external_id: 'killed', posted_at: '2026-01-05T00:00:00Z', amount_cents: 1 }],
    },
  );
  await expect(dying).rejects.toThrow();
  expect(await count('bank_transaction')).toBe(before);
  expect(await outcomeOf('killed')).toBeNull();
  const lease = await raw.query<{ seconds: number }>(
    "SELECT extract(epoch FROM locked_until - created_at)::int AS seconds FROM idempotency_key WHERE key = 'killed'",
  );
  expect(lease.rows).toEqual([{ seconds: 60 }]);
  await expect(beginIdempotent(context, address('killed'))).rejects.toMatchObject(inProgress);
  await endLease('killed');
  const again = await runIdempotent(context, { key: 'killed', body: 'body' }, verbs.transactions);
  expect(again.replayed).toBe(false);
});

test('a request that outlives its lease and was taken over stores nothing', async () => {
  const begun = await claimKey(context, address('slow'));
  await endLease('slow');
  const winner = await runIdempotent(context, { key: 'slow', body: 'body' }, verbs.company);
  const companies = await count('company');
  await expect(createCompany({ ...context, idempotency: begun }, { name: 'Late' })).rejects.toMatchObject(inProgress);
  await begun.release(context.database);
  expect(await count('company')).toBe(companies);
  const replay = await runIdempotent(context, { key: 'slow', body: 'body' }, verbs.company);
  expect(JSON.stringify(replay.outcome)).toBe(JSON.stringify(winner.outcome));
});

test('a key whose release gets no connection is released soon after', async () => {
  const first = await claimKey(context, address('unreleased'));
  let fails = 2;
  const busy: Queryable = {
    query: async (sql, values) => {
      if (fails-- > 0) throw new Error('timeout exceeded when trying to connect');
      return context.database.query(sql, values);
    },
  };
  await first.release(busy);
  const again = () => beginIdempotent(context, address('unreleased')).catch(codeOf);
  expect(await again()).toBe('idempotency_in_progress');
  await expect.poll(again, { timeout: 10_000 }).toHaveProperty('run');
});

test('a key is free once its session has ended, whose request then stores nothing', async () => {
  const late = await claimKey(context, address('cut'));
  await expect(beginIdempotent(context, address('cut'))).rejects.toMatchObject({ ...inProgress, retryAfter: 1 });
  await raw.query(
    `SELECT pg_terminate_backend(pid, 10_000) FROM pg_stat_activity, idempotency_key
     WHERE key = 'cut' AND holder LIKE '% ' || pid`,
  );
  const winner = await runIdempotent(context, { key: 'cut', body: 'body' }, verbs.company);
  expect(winner.replayed).toBe(false);
  await expect(createCompany({ ...context, idempotency: late }, { name: 'Late' })).rejects.toMatchObject(inProgress);
  expect(await runIdempotent(context, { key: 'cut', body: 'body' }, verbs.company)).toEqual({
    replayed: true,
    outcome: winner.outcome,
  });
});

test('a key taken over by a process of 0.2.0 keeps its lease, and Retry-After is the rest of it', async () => {
  await beginIdempotent(context, address('lease-unknown'));
  const takeOver = (left: string) =>
    raw.query(
      "UPDATE idempotency_key SET token = 'req_1', locked_until = now() + $1::interval WHERE key = 'lease-unknown'",
      [left],
    );
  for (const [left, retryAfter] of [
    ['40 s', 40],
    ['0.4 s', 1],
  ] as const) {
    await takeOver(left);
    await expect(beginIdempotent(context, address('lease-unknown'))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      retryAfter,
    });
  }
});

test('after the lease, the key is still rejected with another body', async () => {
  await beginIdempotent(context, address('ended', 'one'));
  await endLease('ended');
  await expect(beginIdempotent(context, address('ended', 'two'))).rejects.toMatchObject(reused);
  expect(await beginIdempotent(context, address('ended', 'one'))).toHaveProperty('run');
});

test('a replay adds no event, audit row, delivery or anything else', async () => {
  await runIdempotent(context, { key: 'replayed', body: 'x' }, verbs.balance);
  const before = await readTables(raw);
  const replay = await runIdempotent(context, { key: 'replayed', body: 'x' }, verbs.balance);
  expect(replay.replayed).toBe(true);
  expect(changesBetween(before, await readTables(raw))).toEqual({});
});

test('an outcome with a secret is stored encrypted and replayed', async () => {
  const createKey = (c: Context) => createApiKey(c, { name: 'Once', scope: 'read' });
  const request = { key: 'secret', body: 'x', secret: true };
  const first = await runIdempotent(context, request, createKey);
  const stored = await outcomeOf('secret');
  expect(stored).toMatch(/^v1\./);
  expect(stored).not.toContain('sk_test_');
  const replay = await runIdempotent(context, request, createKey);
  expect(replay).toEqual({ replayed: true, outcome: first.outcome });
  expect(JSON.stringify(replay.outcome)).toContain('sk_test_');
});

test.each(['', ' ', 'a b', 'é', 'x'.repeat(256), 'line\n'])(
  'a key %j that is not 1 to 255 visible characters is rejected',
  async (key) => {
    await expect(beginIdempotent(context, address(key))).rejects.toMatchObject({ code: 'invalid_idempotency_key' });
  },
);

test('a key is free again after 24 hours, also for another request, and the purge removes exactly those', async () => {
  await runIdempotent(context, { key: 'old', body: 'one' }, verbs.company);
  await runIdempotent(context, { key: 'older', body: 'one' }, verbs.company);
  await runIdempotent(context, { key: 'young', body: 'one' }, verbs.company);
  await context.database.query(
    "UPDATE idempotency_key SET created_at = now() - interval '24 hours 1 second' WHERE key LIKE 'old%'",
  );
  const again = await runIdempotent(context, { key: 'old', body: 'two' }, verbs.company);
  expect(again.replayed).toBe(false);
  expect(await purgeIdempotencyKeys(fixture.core)).toBe(1);
  expect(await outcomeOf('older')).toBeUndefined();
  expect(await outcomeOf('young')).toContain('"ok":true');
});
