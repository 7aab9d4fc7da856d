// Risk: an API key blocks requests of another, or a request repeated during an upgrade runs twice.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { claimKey, runIdempotent } from '../../test/run-idempotent.ts';
import { createCompany } from '../modules/companies/create.ts';
import type { Context } from './context.ts';
import { beginIdempotent } from './idempotency.ts';

const fixture = useFixture();

const callerOf = (originId: string, keyId = originId): Context => ({ ...fixture.context, originId, keyId });
const create = (context: Context) => createCompany(context, { name: `Of ${context.keyId}` });
const requestOf = (key: string, isForKeyOnly = false) => ({
  key,
  fingerprint: ['POST', '/p', 'x'],
  isForKeyOnly,
  secret: false,
});

test('two API keys use one Idempotency-Key for different requests, and each gets its own response again', async () => {
  const [ann, bob, eve] = [callerOf('key_ann'), callerOf('key_bob'), callerOf('key_eve')];
  const first = await runIdempotent(ann, { key: 'batch-1', body: 'a' }, create);
  const second = await runIdempotent(bob, { key: 'batch-1', body: 'b' }, create);
  const third = await runIdempotent(eve, { key: 'batch-1', body: 'a' }, create);
  expect([first, second, third].map(({ replayed }) => replayed)).toEqual([false, false, false]);
  for (const [caller, body, { outcome }] of [
    [ann, 'a', first],
    [bob, 'b', second],
    [eve, 'a', third],
  ] as const) {
    expect(await runIdempotent(caller, { key: 'batch-1', body }, create)).toEqual({ replayed: true, outcome });
    await expect(runIdempotent(caller, { key: 'batch-1', body: 'other' }, create)).rejects.toMatchObject({
      code: 'idempotency_key_reuse',
    });
  }
});

test.each([false, true])('a rotation repeats the requests of its predecessor (for its key only: %s)', async (only) => {
  const key = `rotated-${only}`;
  const begun = await claimKey(callerOf('key_one'), requestOf(key, only));
  await begun.complete(fixture.context.database, { n: 1 });
  const replay = { replay: { ok: true, output: { n: 1 } } };
  expect(await beginIdempotent(callerOf('key_one', 'key_two'), requestOf(key, only))).toEqual(replay);
  expect(await beginIdempotent(callerOf('key_two'), requestOf(key, only))).toHaveProperty('run');
});

test('of many concurrent requests of several API keys, one per key runs, also while others are released', async () => {
  for (let round = 0; round < 12; round++) {
    const key = `race-${round}`;
    const other = await claimKey(callerOf('key_other'), requestOf(key));
    const callers = ['key_a', 'key_b', 'key_c'].flatMap((id) => Array.from({ length: 5 }, () => callerOf(id)));
    const calls = callers.map((caller) => beginIdempotent(caller, requestOf(key)));
    const [results] = await Promise.all([Promise.allSettled(calls), other.release(fixture.context.database)]);
    const winners = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [callers[n]?.keyId] : []));
    expect(winners.toSorted()).toEqual(['key_a', 'key_b', 'key_c']);
  }
});

/** The statements of version 0.2.0. */
const before = {
  digest(parts: readonly string[]): Buffer {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(String(part.length)).update('\0').update(part);
    return hash.digest();
  },
  async claim(key: string, fingerprint: Buffer): Promise<boolean> {
    const rows = await fixture.context.database.query(
      `INSERT INTO idempotency_key AS k (account_id, key, fingerprint, token, locked_until, created_at)
       VALUES ($1, $2, $3, $4, now() + 60 * interval '1 second', now())
       ON CONFLICT (account_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, token = excluded.token, locked_until = excluded.locked_until,
             outcome = NULL, created_at = now()
         WHERE k.created_at < now() - interval '24 hours'
            OR (k.outcome IS NULL AND k.locked_until < now() AND k.fingerprint = excluded.fingerprint)
       RETURNING token`,
      [fixture.context.accountId, key, fingerprint, 'req_before'],
    );
    return rows.length > 0;
  },
  read: (key: string) =>
    fixture.context.database.query<{ fingerprint: Buffer; outcome: string | null }>(
      'SELECT fingerprint, outcome FROM idempotency_key WHERE account_id = $1 AND key = $2',
      [fixture.context.accountId, key],
    ),
  store: (key: string, outcome: object) =>
    fixture.context.database.query(
      'UPDATE idempotency_key SET outcome = $3 WHERE account_id = $1 AND key = $2 AND token = $4 RETURNING key',
      [fixture.context.accountId, key, JSON.stringify(outcome), 'req_before'],
    ),
};

test.each([false, true])(
  'a process of version 0.2.0 finds the request of a later one (for its key only: %s)',
  async (only) => {
    const key = `found-${only}`;
    const caller = callerOf('key_new');
    const begun = await claimKey(caller, requestOf(key, only));
    const fingerprint = before.digest([...requestOf(key).fingerprint, ...(only ? ['key_new'] : [])]);
    expect(await before.claim(key, fingerprint)).toBe(false);
    expect(await before.read(key)).toEqual([{ fingerprint, outcome: null }]);
    await begun.complete(fixture.context.database, { n: 2 });
    expect(await before.claim(key, fingerprint)).toBe(false);
    expect(await before.read(key)).toEqual([{ fingerprint, outcome: '{"ok":true,"output":{"n":2}}' }]);
  },
);

test.each([false, true])(
  'a later process finds the request of one of version 0.2.0, also with a rotation (for its key only: %s)',
  async (only) => {
    const key = `known-${only}`;
    const caller = callerOf('key_origin', 'key_successor');
    const parts = [...requestOf(key).fingerprint, ...(only ? ['key_successor'] : [])];
    expect(await before.claim(key, before.digest(parts))).toBe(true);
    await expect(beginIdempotent(caller, requestOf(key, only))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    await before.store(key, { ok: true, output: { n: 3 } });
    expect(await beginIdempotent(caller, requestOf(key, only))).toEqual({ replay: { ok: true, output: { n: 3 } } });
    const other = { ...requestOf(key, only), fingerprint: ['another'] };
    await expect(beginIdempotent(caller, other)).rejects.toMatchObject({ code: 'idempotency_key_reuse' });
  },
);

test('a request that a process of version 0.2.0 takes over stores nothing, and both versions replay the other', async () => {
  const caller = callerOf('key_late');
  const late = await claimKey(caller, requestOf('taken'));
  const { query } = fixture.context.database;
  await query("UPDATE idempotency_key SET locked_until = now() - interval '1 ms' WHERE key = 'taken'");
  expect(await before.claim('taken', before.digest(requestOf('taken').fingerprint))).toBe(true);
  const company = createCompany({ ...caller, idempotency: late }, { name: 'Late' });
  await expect(company).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  await before.store('taken', { ok: true, output: { n: 4 } });
  expect(await beginIdempotent(caller, requestOf('taken'))).toEqual({ replay: { ok: true, output: { n: 4 } } });
});
