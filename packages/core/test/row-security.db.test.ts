// Risk: a query that forgot its WHERE shows one customer the records of another.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../src/db/database.ts';
import { statement } from '../src/db/queryable.ts';
import { serviceTables } from '../src/db/row-security.ts';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { sealAuditLog } from '../src/modules/audit/seal-audit-log.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import type { Context } from '../src/verbs/context.ts';
import { claimAll, settle } from './attempt-of.ts';
import { useFixture } from './core-fixture.ts';
import { useRawClient } from './raw-client.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
let mine: Context;
let theirs: Context;
beforeAll(async () => {
  mine = fixture.context;
  await fill(mine, fixture.companyId);
  const other = await fixture.otherAccount();
  theirs = other.context;
  await fill(theirs, other.companyId);
  await sealAuditLog(fixture.core);
});

/** A row of the account in every table that a request or a delivery writes. */
async function fill(context: Context, company_id: string): Promise<void> {
  const endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  await upsertCashBalance(context, { company_id, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' });
  await ingestTransactions(context, {
    company_id,
    external_id: 'x',
    posted_at: '2026-01-01T00:00:00Z',
    amount_cents: 1,
  });
  for (const cash of [1, 2]) {
    await upsertSnapshot(context, {
      company_id,
      statement_type: 'balance',
      period_end: '2026-01-31',
      currency: 'USD',
      totals: { cash },
    });
  }
  await createApiKey(context, { name: 'k', scope: 'read' });
  const [first, ...others] = await claimAll(fixture.core, endpoint.id);
  if (!first) throw new Error('Nothing is due.');
  await settle(fixture.core, [first, ...others], { kind: 'retry', delayMs: 60_000 });
  await context.database.query(
    `INSERT INTO idempotency_key (account_id, key, fingerprint, token, locked_until, created_at)
     VALUES ($1, 'k', '', 't', now(), now())`,
    [context.accountId],
  );
}

/** Every table, by what its rows are: all of them, whoever made them. */
async function tablesOf(): Promise<{ name: string; hasAccount: boolean; secured: boolean }[]> {
  const { rows } = await raw.query<{ name: string; hasAccount: boolean; secured: boolean }>(
    `SELECT c.relname AS name, c.relrowsecurity AS secured,
            EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id') AS "hasAccount"
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname`,
  );
  return rows;
}

const roleOf = async (db: Pick<Session, 'query'>) =>
  (
    await db.query<{ role: string; account: string | null }>(
      "SELECT current_user AS role, nullif(current_setting('finhook.account_id', true), '') AS account",
    )
  )[0];

describe('the second barrier', () => {
  test('every table is behind row-level security; the few without account_id are known', async () => {
    const tables = await tablesOf();
    expect(tables.filter(({ secured }) => !secured)).toEqual([]);
    const others = tables.filter(({ hasAccount }) => !hasAccount).map(({ name }) => name);
    // A new name here needs a rule in row-security.ts: whose rows are whose, or that they are nobody's.
    const names = serviceTables.filter((name) => !tables.some((table) => table.name === name && table.hasAccount));
    expect(others).toEqual(['account', ...names].sort());
  });

  test('each table read without a WHERE shows the rows of the own account only', async () => {
    const empty: string[] = [];
    for (const { name, hasAccount } of await tablesOf()) {
      if (serviceTables.includes(name)) {
        await expect(mine.database.query(`SELECT * FROM ${name}`), name).rejects.toThrow('permission denied');
        continue;
      }
      const account = hasAccount ? 'account_id' : 'id';
      const all = await raw.query<{ account: string; row: string }>(
        `SELECT ${account} AS account, t::text AS row FROM ${name} t`,
      );
      for (const context of [mine, theirs]) {
        const expected = all.rows.filter((row) => row.account === context.accountId).map(({ row }) => row);
        const seen = await context.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
        expect(seen.map(({ row }) => row).sort(), name).toEqual(expected.sort());
        const inside = await context.database.transaction((tx) =>
          tx.query<{ found: number }>(`SELECT count(*)::int AS found FROM ${name}`),
        );
        expect(inside, name).toEqual([{ found: expected.length }]);
        if (expected.length === 0) empty.push(name);
      }
    }
    // Tables of the areas whose verbs this test doesn't call prove their rule by the one before and after.
    for (const name of ['account', 'attempt', 'audit_log', 'company', 'delivery', 'due', 'event', 'api_key']) {
      expect(empty).not.toContain(name);
    }
  });

  test('a partition cannot be read past its parent', async () => {
    const { rows } = await raw.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY relname",
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { name } of rows) {
      await expect(mine.database.query(`SELECT * FROM ${name}`), name).rejects.toThrow('permission denied');
      await expect(fixture.core.database.query(`DELETE FROM ${name}`), name).rejects.toThrow('permission denied');
    }
  });

  test('rows of another account are neither changed nor made', async () => {
    const db = mine.database;
    const names = () => raw.query('SELECT id, name, account_id FROM company ORDER BY id').then(({ rows }) => rows);
    const before = await names();
    expect(
      await db.query('UPDATE company SET name = $2 WHERE account_id = $1 RETURNING id', [theirs.accountId, 'x']),
    ).toEqual([]);
    expect(await db.query('DELETE FROM cash_balance WHERE account_id = $1 RETURNING id', [theirs.accountId])).toEqual(
      [],
    );
    const key = (account: string) =>
      db.query(
        `INSERT INTO idempotency_key (account_id, key, fingerprint, token, locked_until, created_at)
         VALUES ($1, 'n', '', 't', now(), now())`,
        [account],
      );
    await expect(key(theirs.accountId)).rejects.toThrow('row-level security');
    await key(mine.accountId);
    await expect(db.query('UPDATE company SET account_id = $1', [theirs.accountId])).rejects.toThrow(
      'row-level security',
    );
    expect(await names()).toEqual(before);
  });

  test('a binding ends with its statement or transaction, whatever became of it', async () => {
    const { database } = fixture.core;
    const bound = { role: 'finhook_tenant', account: mine.accountId };
    const free = { role: 'finhook_system', account: null };
    const failing = statement('divide', 'SELECT 1 / $1::int AS result');
    for (let i = 0; i < 40; i++) {
      const turns = [
        async () => expect(await roleOf(mine.database)).toEqual(bound),
        async () => expect(await mine.database.transaction(roleOf)).toEqual(bound),
        async () => expect(await roleOf(database)).toEqual(free),
        async () => expect(await database.transaction(roleOf)).toEqual(free),
        () => expect(mine.database.query(failing, [0])).rejects.toThrow('division by zero'),
        () => expect(mine.database.query('SELEC')).rejects.toThrow('syntax error'),
        () => expect(mine.database.transaction((tx) => tx.query(failing, [0]))).rejects.toThrow('division by zero'),
        async () => expect(await mine.database.query(failing, [1])).toEqual([{ result: 1 }]),
        async () => expect((await roleOf(theirs.database))?.account).toBe(theirs.accountId),
      ];
      await Promise.all([...turns, ...turns].map((turn) => turn()));
    }
  });

  test('an account id is data, whatever it holds', async () => {
    const odd = fixture.core.database.forAccount("x'); SET LOCAL ROLE NONE; --\\");
    expect(await odd.query('SELECT id FROM company')).toEqual([]);
    expect(await odd.transaction((tx) => tx.query('SELECT id FROM company'))).toEqual([]);
    expect((await odd.transaction(roleOf))?.role).toBe('finhook_tenant');
  });
});

describe('the audit log', () => {
  test('is changed, emptied or shortened by neither role', async () => {
    for (const db of [mine.database, fixture.core.database]) {
      for (const sql of ['UPDATE audit_log SET action = action', 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
        await expect(db.query(sql), sql).rejects.toThrow('permission denied');
      }
      for (const sql of ['UPDATE audit_seal SET hash = hash', 'DELETE FROM audit_seal', 'TRUNCATE audit_seal']) {
        await expect(db.query(sql), sql).rejects.toThrow('permission denied');
      }
    }
  });
});
