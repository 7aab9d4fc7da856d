import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Queryable } from '../../../db/queryable.ts';
import type { AccountTable } from './account-tables.ts';
import { type Move, MoveError, readMove } from './move-state.ts';

export interface CellConnection extends Queryable {
  client: pg.Client;
}

interface Contents {
  rows: string;
  digest: string;
}

/** Rows by table, those without any excepted. */
export type CopiedRows = Readonly<Record<string, number>>;

/**
 * Runs `work` in a transaction, of one snapshot if it is to read only. One that failed is left open, to end with its
 * connection: after a COPY that failed on the other side, a ROLLBACK would wait for the remaining rows, which nobody reads.
 */
export async function inTransaction<T>(
  db: Queryable,
  work: () => Promise<T>,
  mode: 'READ WRITE' | 'ISOLATION LEVEL REPEATABLE READ, READ ONLY' = 'READ WRITE',
): Promise<T> {
  await db.query(`BEGIN ${mode}`);
  const result = await work();
  await db.query('COMMIT');
  return result;
}

/**
 * Copies the account in one transaction of each cell. The target's commits only if each table has the same rows, by number
 * and contents. There the account is arriving: it can be read, and nothing is sent. Rows of an earlier time in the target are
 * replaced, but for the audit log, which its seals name: it continues.
 */
export async function copyAccount(
  source: CellConnection,
  target: CellConnection,
  tables: readonly AccountTable[],
  move: Move,
): Promise<CopiedRows> {
  const { account_id: id, cell, paused, begun_at, begun_by } = move;
  return inTransaction(
    source,
    () =>
      inTransaction(target, async () => {
        if ((await readMove(target, id)) !== undefined) await deleteRows(target, tables, id, ['audit_log']);
        const [known] = await target.query<{ position: string }>(
          'SELECT coalesce(max(position), 0) AS position FROM audit_log WHERE account_id = $1',
          [id],
        );
        const rows: Record<string, number> = {};
        for (const table of tables) {
          const condition = `${table.condition}${parts[table.name] ?? ''}`;
          const count = await copyTable(source, target, { ...table, condition }, [id, known?.position ?? '0']);
          if (count > 0) rows[table.name] = count;
        }
        await target.query(
          `INSERT INTO account_move (account_id, state, cell, paused, begun_at, begun_by)
           VALUES ($1, 'arriving', $2, $3, $4, $5)
           ON CONFLICT (account_id) DO UPDATE
             SET state = excluded.state, cell = excluded.cell, paused = excluded.paused, begun_at = excluded.begun_at,
               begun_by = excluded.begun_by, state_since = excluded.state_since`,
          [id, cell, paused, begun_at, begun_by],
        );
        return rows;
      }),
    'ISOLATION LEVEL REPEATABLE READ, READ ONLY',
  );
}

/**
 * The part of a table that is copied. The request of an Idempotency-Key without an outcome fails in a frozen account, so its
 * client sends it again, to the target.
 */
const parts: Readonly<Record<string, string>> = {
  audit_log: ' AND position > $2',
  idempotency_key: ' AND outcome IS NOT NULL',
};

async function copyTable(
  source: CellConnection,
  target: CellConnection,
  table: AccountTable,
  values: readonly string[],
): Promise<number> {
  const { name, columns } = table;
  const select = selectOf(table, values, source.client);
  const sent = await readContents(source, select);
  if (sent.rows === '0') return 0;
  await pipeline(
    source.client.query(to(`COPY (${select}) TO STDOUT`)),
    target.client.query(from(`COPY "${name}" (${listOf(columns)}) FROM STDIN`)),
  );
  const stored = await readContents(target, selectOf(table, values, target.client));
  if (stored.rows !== sent.rows || stored.digest !== sent.digest) {
    throw new MoveError(
      `The table ${name} has ${sent.rows} rows here and ${stored.rows} in the target, or they differ. Nothing was copied.`,
    );
  }
  return Number(sent.rows);
}

const listOf = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** COPY takes no parameters. */
function selectOf({ name, columns, condition }: AccountTable, values: readonly string[], client: pg.Client): string {
  const where = condition.replaceAll(/\$(\d)/g, (_, n) => client.escapeLiteral(values[Number(n) - 1] ?? ''));
  return `SELECT ${listOf(columns)} FROM "${name}" WHERE ${where}`;
}

async function readContents(db: Queryable, select: string): Promise<Contents> {
  const [row] = await db.query<Contents>(
    `SELECT count(*)::text AS rows, coalesce(sum(hashtextextended(r::text, 0)), 0)::text AS digest FROM (${select}) r`,
  );
  if (row === undefined) throw new Error('A table could not be counted.');
  return row;
}

/** Deletes the account's rows except those of the tables in `kept`; returns their number. */
export async function deleteRows(
  db: Queryable,
  tables: readonly AccountTable[],
  accountId: string,
  kept: readonly string[],
): Promise<number> {
  const isKept = (name: string): boolean => kept.includes(name);
  let rows = 0;
  if (!isKept('api_key')) await db.query('DELETE FROM device_login_decision WHERE account_id = $1', [accountId]);
  for (const { name, condition } of tables.toReversed()) {
    if (isKept(name)) continue;
    const [deleted] = await db.query<{ n: number }>(
      `WITH gone AS (DELETE FROM "${name}" WHERE ${condition} RETURNING 1) SELECT count(*)::int AS n FROM gone`,
      [accountId],
    );
    rows += deleted?.n ?? 0;
  }
  return rows;
}
