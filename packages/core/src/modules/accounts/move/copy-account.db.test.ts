// Risk: a change made while an account is copied is missing in the target, or a deleted row remains there.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../../../test/core-fixture.ts';
import { openRawClient } from '../../../../test/raw-client.ts';
import { moveSettings } from '../../../db/connection-settings.ts';
import { asOwner } from '../../../db/migrate-database.ts';
import { ensurePartitionsOf } from '../../../db/partitions.ts';
import { createCompany } from '../../companies/create.ts';
import { createEndpoint } from '../../webhooks/create.ts';
import { readAccountTables } from './account-tables.ts';
import { beginCopy, endCopy, updateCopy } from './copy-account.ts';
import type { CellConnection } from './copy-rows.ts';
import { beginMove, readMove } from './move-state.ts';

let source: CoreFixture;
let target: CoreFixture;
beforeAll(async () => {
  [source, target] = await Promise.all([openFixture(inject('pgUrl')), openFixture(inject('pgUrl'))]);
  await beginMove(source.core.database.owner, source.context.accountId, 'eu', 'test');
  await createEndpoint(source.context, { url: 'http://127.0.0.1:4010/hook' });
});
afterAll(() => Promise.all([source.close(), target.close()]));

const connect = (database: { url: string }, work: (connection: CellConnection) => Promise<void>): Promise<void> =>
  asOwner({ connectionString: database.url, options: moveSettings }, (owner, client) => work({ ...owner, client }));

const hash = (n: number): string => `sha256('key ${n}'::bytea)`;
const copyOf = (n: number, hashed: number): string =>
  `INSERT INTO api_key SELECT (jsonb_populate_record(k, jsonb_build_object('id', 'key_${n}', 'hash', ${hash(hashed)}))).*
   FROM api_key k WHERE k.account_id = $1 AND k.id NOT LIKE 'key\\__' LIMIT 1 ON CONFLICT DO NOTHING`;
const rename = (n: number): string => `UPDATE api_key SET name = name || '+' WHERE id = 'key_${n}' AND account_id = $1`;

/** A few keys with a unique hash, which other tables reference. */
const changes = {
  insert: (n: number) => [copyOf(n, n)],
  update: (n: number) => [rename(n)],
  delete: (n: number) => [`DELETE FROM api_key WHERE id = 'key_${n}' AND account_id = $1`],
  'pass on the hash of': (n: number) => [
    `UPDATE api_key SET hash = sha256(gen_random_uuid()::text::bytea) WHERE id = 'key_${n}' AND account_id = $1`,
    copyOf((n + 1) % 6, n),
  ],
  exchange: (n: number) => {
    const both = `('key_${n}', 'key_${(n + 1) % 6}')`;
    return [
      `UPDATE api_key SET hash = hash || 'x' WHERE account_id = $1 AND id IN ${both}
         AND (SELECT count(*) FROM api_key WHERE account_id = $1 AND id IN ${both}) = 2`,
      `UPDATE api_key k SET hash = substring(o.hash FROM 1 FOR length(o.hash) - 1) FROM api_key o
       WHERE k.account_id = $1 AND k.id IN ${both} AND o.id IN ${both} AND o.id <> k.id`,
    ];
  },
  'update in a part of': (n: number) => ['SAVEPOINT part', rename(n), 'RELEASE part'],
  'send a delivery of': () => [
    `DELETE FROM due WHERE delivery_id = (SELECT min(delivery_id) FROM due WHERE account_id = $1)`,
    `UPDATE delivery SET updated_at = clock_timestamp() WHERE id = (SELECT max(id) FROM delivery WHERE account_id = $1)`,
  ],
  lock: (n: number) => [`SELECT FROM api_key WHERE id = 'key_${n}' AND account_id = $1 FOR UPDATE`],
};
const times = ['before', 'across', 'between', 'late'] as const;
/** On a key of its own, because the rows stay locked until both copies have been made. */
const longChange = fc.constantFrom('insert' as const, 'update' as const, 'delete' as const);
const change = fc.record({
  kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  n: fc.nat(5),
  at: fc.constantFrom(...times),
});

test('whatever changes while an account is copied, the target ends with the same rows', async () => {
  const { accountId } = source.context;
  const [raw, long] = [await openRawClient(source.database.url), await openRawClient(source.database.url)];
  const apply = async (list: readonly { kind: keyof typeof changes; n: number }[], client = raw) => {
    for (const { kind, n } of list)
      for (const sql of changes[kind](n)) await client.query(sql, sql.includes('$1') ? [accountId] : []);
  };
  // Events, deliveries and the audit log are in partitions.
  const emit = () => createCompany(source.context, { name: 'Another' });
  const property = async (
    all: readonly { kind: keyof typeof changes; n: number; at: (typeof times)[number] }[],
    longest: readonly ('insert' | 'update' | 'delete')[],
  ) => {
    for (const client of [raw, long]) await client.query('ROLLBACK');
    const at = (time: string) => all.filter((one) => one.at === time);
    const inTransaction = async (time: string) => {
      await raw.query('BEGIN');
      await apply(at(time));
    };
    await connect(source.database, (from) =>
      connect(target.database, async (to) => {
        const tables = await readAccountTables(from);
        await ensurePartitionsOf(to, from);
        await inTransaction('before');
        await raw.query('COMMIT');
        await emit();
        await long.query('BEGIN');
        await apply(
          longest.map((kind) => ({ kind, n: 9 })),
          long,
        );
        await inTransaction('across');
        const early = await beginCopy(from, to, tables, accountId);
        await raw.query('COMMIT');
        await emit();
        await inTransaction('between');
        const middle = await updateCopy(early);
        await raw.query('COMMIT');
        await inTransaction('late');
        await raw.query('COMMIT');
        await long.query('COMMIT');
        await emit();
        const move = await readMove(from, accountId);
        if (move === undefined) throw new Error('No move has begun.');
        // `endCopy` compares all rows itself.
        const rows = await endCopy(middle, move);
        const sql = 'SELECT id, name, hash FROM api_key WHERE account_id = $1 ORDER BY id';
        const stored = await to.query(sql, [accountId]);
        expect(stored).toEqual(await from.query(sql, [accountId]));
        expect(rows['api_key']).toBe(stored.length);
      }),
    );
  };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 16 }), fc.array(longChange, { maxLength: 3 }), property),
    { numRuns: 10 },
  );
  for (const client of [raw, long]) await client.end();
}, 60_000);
