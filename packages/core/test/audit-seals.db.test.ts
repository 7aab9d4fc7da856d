// Risk: somebody with access to the database rewrites the audit log unnoticed.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sealAuditLog } from '../src/modules/audit/seal-audit-log.ts';
import { verifyAuditLog } from '../src/modules/audit/verify-audit-log.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { useFixture } from './core-fixture.ts';
import { openRawClient, useRawClient } from './raw-client.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
beforeAll(async () => {
  for (let i = 0; i < 8; i++) await createCompany(fixture.context, { name: `c${i}` });
  await raw.query('CREATE TABLE written AS SELECT * FROM audit_log');
});
// Each test begins with unsealed rows.
beforeEach(() => raw.query('TRUNCATE audit_log, audit_seal CASCADE; INSERT INTO audit_log SELECT * FROM written'));

const options = { rowsPerSeal: 3 };

const sealAll = () => sealAuditLog(fixture.core, options);

/** The sealed rows in their order. */
async function rowsInOrder(): Promise<string[]> {
  const { rows } = await raw.query<{ id: string }>('SELECT id FROM audit_log ORDER BY account_id, position');
  return rows.map(({ id }) => id);
}

const mismatchOf = async () => (await verifyAuditLog(fixture.core)).mismatch;

test('an untouched log is found intact, and sealing again adds nothing', async () => {
  expect(await verifyAuditLog(fixture.core)).toMatchObject({ seals: 0, rows: 0, unsealed: 10, mismatch: undefined });
  await sealAll();
  const report = await verifyAuditLog(fixture.core);
  expect(report).toMatchObject({ rows: 10, unsealed: 0, mismatch: undefined });
  expect(report.seals).toBeGreaterThanOrEqual(4);
  expect(await sealAuditLog(fixture.core, options)).toBe(0);
  expect(await verifyAuditLog(fixture.core, { head: report.head })).toEqual(report);
});

test('a run seals at most its limit, and the next one continues', async () => {
  expect(await sealAuditLog(fixture.core, { rowsPerSeal: 2, maxSeals: 2 })).toBe(4);
  expect(await verifyAuditLog(fixture.core)).toMatchObject({ seals: 2, rows: 4, unsealed: 6 });
  await sealAll();
  expect(await verifyAuditLog(fixture.core)).toMatchObject({ rows: 10, mismatch: undefined });
});

test('concurrent workers make one chain', async () => {
  await Promise.all(Array.from({ length: 6 }, () => sealAuditLog(fixture.core, options)));
  await sealAll();
  expect(await verifyAuditLog(fixture.core)).toMatchObject({ rows: 10, mismatch: undefined });
});

const tampering: Record<string, { sql: string; kind: string; nth: number }> = {
  'a changed actor': { sql: `UPDATE audit_log SET actor = '{"type":"staff"}' WHERE id = $1`, kind: 'altered', nth: 4 },
  'a changed account': { sql: "UPDATE audit_log SET account_id = 'acct_x' WHERE id = $1", kind: 'altered', nth: 0 },
  'a changed time': {
    sql: "UPDATE audit_log SET created_at = created_at + interval '1 ms' WHERE id = $1",
    kind: 'altered',
    nth: 5,
  },
  'a value that became nothing': { sql: 'UPDATE audit_log SET after = NULL WHERE id = $1', kind: 'altered', nth: 7 },
  'a removed row': { sql: 'DELETE FROM audit_log WHERE id = $1', kind: 'removed', nth: 3 },
  'a row moved to the end': {
    sql: 'UPDATE audit_log SET position = position + 1000 WHERE id = $1',
    kind: 'altered',
    nth: 2,
  },
};

test.each(Object.entries(tampering))('%s is found', async (_, { sql, kind, nth }) => {
  await sealAll();
  const rowId = (await rowsInOrder())[nth];
  await raw.query(sql, [rowId]);
  expect(await mismatchOf()).toEqual({ kind, sequence: expect.any(Number), rowId });
});

test('a row inserted between sealed ones is found', async () => {
  await sealAll();
  const [, second] = await rowsInOrder();
  const copy = `${second}0`;
  await raw.query(
    `INSERT INTO audit_log (id, account_id, actor, action, resource_id, request_id, created_at, position)
     SELECT $2, account_id, actor, action, resource_id, request_id, created_at, position FROM audit_log WHERE id = $1`,
    [second, copy],
  );
  expect(await mismatchOf()).toEqual({ kind: 'inserted', sequence: expect.any(Number), rowId: copy });
});

test('a chain that was changed, shortened or rebuilt is found', async () => {
  await sealAll();
  const { head } = await verifyAuditLog(fixture.core);
  await raw.query('UPDATE audit_seal SET row_hashes[1] = row_hashes[2] WHERE sequence = 2');
  expect(await mismatchOf()).toEqual({ kind: 'altered', sequence: 2 });
  await raw.query('DELETE FROM audit_seal WHERE sequence = 2');
  expect(await mismatchOf()).toEqual({ kind: 'removed', sequence: 2 });
  await raw.query('DELETE FROM audit_seal');
  expect(await mismatchOf()).toBeUndefined();
  // Only the head noted elsewhere reveals this.
  expect((await verifyAuditLog(fixture.core, { head })).mismatch).toEqual({ kind: 'removed', sequence: 1 });
  await raw.query("UPDATE audit_log SET action = 'nothing' WHERE id = $1", [(await rowsInOrder())[0]]);
  await sealAll();
  expect((await verifyAuditLog(fixture.core, { head })).mismatch).toMatchObject({ kind: expect.any(String) });
});

test('rows of dropped months are skipped on request, and the chain is still verified', async () => {
  await sealAll();
  const [first] = await rowsInOrder();
  await raw.query('DELETE FROM audit_log WHERE id = $1', [first]);
  expect(await mismatchOf()).toMatchObject({ kind: 'removed', sequence: 1 });
  const { mismatch, seals, rows, compared } = await verifyAuditLog(fixture.core, { fromSeal: 2 });
  expect(mismatch).toBeUndefined();
  expect(compared.seals).toBe(seals - 1);
  expect(compared.rows).toBeLessThan(rows);
  expect((await verifyAuditLog(fixture.core, { fromSeal: seals + 1 })).compared).toEqual({ seals: 0, rows: 0 });
  await raw.query('UPDATE audit_seal SET sealed_at = now() WHERE sequence = 1');
  expect((await verifyAuditLog(fixture.core, { fromSeal: 2 })).mismatch).toEqual({ kind: 'altered', sequence: 1 });
});

test('rows written while another transaction is open are sealed, and that transaction’s rows later', async () => {
  await sealAll();
  const [late, other] = [await openRawClient(fixture.database.url), await fixture.otherAccount()];
  await sealAll();
  await late.query('BEGIN');
  await late.query(
    `WITH sq AS (
       UPDATE account_sequence SET audit_position = audit_position + 1 WHERE account_id = $1 RETURNING audit_position
     )
     INSERT INTO audit_log (id, account_id, actor, action, resource_id, request_id, created_at, position)
     SELECT 'aud_0', $1, '{}', 'late', 'x', 'x', now(), audit_position FROM sq`,
    [other.context.accountId],
  );
  await createCompany(fixture.context, { name: 'meanwhile' });
  expect(await sealAll()).toBe(1);
  await late.query('COMMIT');
  await late.end();
  expect(await sealAll()).toBe(1);
  expect(await verifyAuditLog(fixture.core)).toMatchObject({ rows: 14, unsealed: 0, mismatch: undefined });
});
