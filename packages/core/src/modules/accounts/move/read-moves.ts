import { type Queryable, systemStatement } from '../../../db/queryable.ts';
import type { Core } from '../../../verbs/context.ts';

/** An unfinished move from this cell, or to it if the account is arriving. */
export interface UnfinishedMove {
  accountId: string;
  state: 'copying' | 'draining' | 'frozen' | 'arriving';
  cell: string;
  begunAt: Date;
  stateSince: Date;
  /** User, machine and process that began it; empty if unknown. */
  begunBy: string;
  /** Seconds since `stateSince`, by the clock of the database. */
  stateSeconds: number;
}

const readUnfinished = systemStatement(
  'read_unfinished_moves',
  `SELECT account_id AS "accountId", state, cell, begun_at AS "begunAt", state_since AS "stateSince", begun_by AS "begunBy",
     greatest(0, extract(epoch FROM now() - state_since))::float8 AS "stateSeconds"
   FROM account_move WHERE state <> 'moved' ORDER BY begun_at LIMIT $1::int`,
);

export async function readUnfinishedMoves(core: Core, top: number): Promise<UnfinishedMove[]> {
  type Row = Omit<UnfinishedMove, 'begunAt' | 'stateSince'> & { begunAt: string; stateSince: string };
  const rows = await core.database.query<Row>(readUnfinished, [top]);
  return rows.map((row) => ({ ...row, begunAt: new Date(row.begunAt), stateSince: new Date(row.stateSince) }));
}

const KEY = "hashtextextended('account_move|' || $1, 0)";

/** The lock ends with the connection. Returns false if another program has it. */
export async function lockMove(db: Queryable, accountId: string): Promise<boolean> {
  const [lock] = await db.query<{ is_mine: boolean }>(`SELECT pg_try_advisory_lock(${KEY}) AS is_mine`, [accountId]);
  return lock?.is_mine === true;
}

export async function readRunning(db: Queryable, accountId: string): Promise<string | undefined> {
  const [running] = await db.query<{ since: string }>(
    `SELECT coalesce(date_trunc('second', min(a.backend_start))::text, 'an unknown time') AS since
     FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((l.classid::bigint << 32) | l.objid::bigint) = ${KEY}
     HAVING count(*) > 0`,
    [accountId],
  );
  return running?.since;
}

/** Output of `account:move --status`, with times in PostgreSQL's format. */
export interface MoveStatus {
  account_id: string;
  /** `arriving` in the target's cell, the others in the source's. */
  state: 'none' | 'copying' | 'draining' | 'frozen' | 'moved' | 'arriving';
  cell: string | null;
  begun_at: string | null;
  state_since: string | null;
  begun_by: string | null;
  /** Start of a running `account:move`, or null. */
  running_since: string | null;
}

export async function readMoveStatus(db: Queryable, accountId: string): Promise<MoveStatus> {
  const [row] = await db.query<Omit<MoveStatus, 'account_id' | 'running_since'>>(
    `SELECT state, cell, date_trunc('second', begun_at)::text AS begun_at,
       date_trunc('second', state_since)::text AS state_since, begun_by
     FROM account_move WHERE account_id = $1`,
    [accountId],
  );
  const none = { state: 'none', cell: null, begun_at: null, state_since: null, begun_by: null } as const;
  return { account_id: accountId, ...(row ?? none), running_since: (await readRunning(db, accountId)) ?? null };
}
