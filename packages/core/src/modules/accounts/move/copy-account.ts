import { databaseErrorCode } from '../../../db/database-error.ts';
import type { Queryable } from '../../../db/queryable.ts';
import type { AccountTable } from './account-tables.ts';
import { copyChanges } from './copy-changes.ts';
import { type CellConnection, type CopiedTable, copyRows, listOf, readEach, toCopied } from './copy-rows.ts';
import { type Move, MoveError, readMove } from './move-state.ts';

/** Number of rows by table; tables without rows are omitted. */
export type CopiedRows = Readonly<Record<string, number>>;

/** A copy in an open transaction of the target, which `endCopy` commits. */
export interface AccountCopy {
  accountId: string;
  source: CellConnection;
  target: CellConnection;
  tables: readonly AccountTable[];
  copied: readonly CopiedTable[];
  /** Oldest source transaction that the copy does not include. */
  since: string;
}

/** Doesn't roll back: after a failed COPY, a ROLLBACK would wait for rows that nobody reads. */
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

function inSnapshot<T>(source: Queryable, work: (since: string) => Promise<T>): Promise<T> {
  const read = async () => {
    const [row] = await source.query<{ since: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text AS since',
    );
    if (row === undefined) throw new Error('The snapshot has no transaction.');
    return work(row.since);
  };
  return inTransaction(source, read, 'ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}

/** Replaces rows of an earlier copy or stay in the target, except the sealed audit log, which continues. */
export function beginCopy(
  source: CellConnection,
  target: CellConnection,
  tables: readonly AccountTable[],
  accountId: string,
): Promise<AccountCopy> {
  return inSnapshot(source, async (since) => {
    const [known] = await target.query<{ position: string }>(
      'SELECT coalesce(max(position), 0) AS position FROM audit_log WHERE account_id = $1',
      [accountId],
    );
    const copied = tables.map((table) => toCopied(table, [accountId, known?.position ?? '0'], source));
    const copy = { accountId, source, target, tables, copied, since };
    await copyAll(copy);
    return copy;
  });
}

async function copyAll({ accountId, source, target, tables, copied }: AccountCopy): Promise<void> {
  await target.query('BEGIN');
  if ((await readMove(target, accountId)) !== undefined) await deleteRows(target, tables, accountId, ['audit_log']);
  for (const { name, columns, where } of copied) {
    const list = listOf(columns);
    await copyRows(source, target, `SELECT ${list} FROM "${name}" WHERE ${where}`, `"${name}" (${list})`);
  }
}

/** Copies the changes since the last snapshot, so that fewer remain for the frozen account. */
export function updateCopy(copy: AccountCopy): Promise<AccountCopy> {
  return inSnapshot(copy.source, async (since) => {
    await copyRecent(copy);
    return { ...copy, since };
  });
}

const INTEGRITY = '23';

// Two rows that exchange a unique value can't be updated one by one: then everything is copied again.
async function copyRecent(copy: AccountCopy): Promise<void> {
  try {
    await copyChanges(copy, copy.copied, copy.since);
  } catch (error) {
    if (databaseErrorCode(error)?.startsWith(INTEGRITY) !== true) throw error;
    await copy.target.query('ROLLBACK');
    await copyAll(copy);
  }
}

/** Commits if both cells have the same rows. The account is then arriving: it can be read, and nothing is sent. */
export function endCopy(copy: AccountCopy, move: Move): Promise<CopiedRows> {
  return inSnapshot(copy.source, async () => {
    await copyRecent(copy);
    const rows = await compare(copy);
    const { cell, paused, begun_at, begun_by } = move;
    await copy.target.query(
      `INSERT INTO account_move (account_id, state, cell, paused, begun_at, begun_by, state_since)
       VALUES ($1, 'arriving', $2, $3, $4, $5, clock_timestamp())
       ON CONFLICT (account_id) DO UPDATE
         SET state = excluded.state, cell = excluded.cell, paused = excluded.paused, begun_at = excluded.begun_at,
           begun_by = excluded.begun_by, state_since = excluded.state_since`,
      [copy.accountId, cell, paused, begun_at, begun_by],
    );
    await copy.target.query('COMMIT');
    return rows;
  });
}

async function compare({ source, target, copied }: AccountCopy): Promise<CopiedRows> {
  const read = (db: Queryable) =>
    readEach<{ rows: string; digest: string }>(
      db,
      copied,
      ({ columns }) =>
        `count(*)::text AS rows, coalesce(sum(hashtextextended(ROW(${listOf(columns)})::text, 0)), 0)::text AS digest`,
    );
  const [here, there] = await Promise.all([read(source), read(target)]);
  const rows: Record<string, number> = {};
  for (const sent of here) {
    const stored = there.find(({ name }) => name === sent.name);
    if (stored?.rows !== sent.rows || stored.digest !== sent.digest) {
      throw new MoveError(
        `The table ${sent.name} has ${sent.rows} rows here and ${stored?.rows} in the target, or they differ. Nothing was copied.`,
      );
    }
    if (sent.rows !== '0') rows[sent.name] = Number(sent.rows);
  }
  return rows;
}

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
