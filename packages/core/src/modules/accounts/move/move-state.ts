import type { Queryable } from '../../../db/queryable.ts';
import { lockGates } from '../../webhooks/endpoint-flow.ts';

/** The account can't be moved, or not now. The message or the cause says why. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}

export interface Move {
  account_id: string;
  state: 'copying' | 'draining' | 'frozen' | 'moved' | 'arriving';
  cell: string;
  /** Endpoints that the move paused. */
  paused: string[];
  /** In PostgreSQL's format; the same in both cells. */
  begun_at: string;
  /** User, machine and process that began it. */
  begun_by: string;
}

const columns = 'account_id, state, cell, paused, begun_at::text AS begun_at, begun_by';

export async function readMove(db: Queryable, accountId: string): Promise<Move | undefined> {
  const [move] = await db.query<Move>(`SELECT ${columns} FROM account_move WHERE account_id = $1`, [accountId]);
  return move;
}

/** True if the other cell has the copy of this move, whose account is closed here. */
export const isArrivalOf = (move: Move | undefined, arrival: Move | undefined): boolean =>
  (move?.state === 'frozen' || move?.state === 'moved') &&
  arrival?.state === 'arriving' &&
  arrival.begun_at === move.begun_at;

interface Situation {
  move: Move | undefined;
  arrival: Move | undefined;
  /** True if the target has rows of the account. */
  isThere: boolean;
}

export function assertMovable(toCell: string, { move, arrival, isThere }: Situation): void {
  if (move?.state === 'arriving') {
    throw new MoveError('The account is arriving here. Finish that move first, with the same command in its old cell.');
  }
  if (move !== undefined && move.cell !== toCell) {
    throw new MoveError(
      move.state === 'moved'
        ? `The account has moved to the cell ${move.cell} already.`
        : `The account is being moved to the cell ${move.cell}: name that one, or cancel it first.`,
    );
  }
  if (move?.state === 'moved') {
    if (isThere && (arrival?.state !== 'arriving' || isArrivalOf(move, arrival))) return;
    throw new MoveError(
      'The target lacks the account that has moved there, as if its database were restored to an earlier time. Restore a ' +
        'later one: this cell has the account as it was when it moved.',
    );
  }
  // A returning account replaces the rows that it left. A copy of an earlier attempt was never open.
  if (arrival?.state === 'moved' || arrival?.state === 'arriving') return;
  if (arrival !== undefined) throw new MoveError('The target cell is moving this account itself.');
  if (isThere) throw new MoveError('The target cell has an account with this id already.');
}

/** The account works as before until it drains. */
export async function beginMove(source: Queryable, accountId: string, cell: string, begunBy: string): Promise<void> {
  await source.query("INSERT INTO account_move (account_id, state, cell, begun_by) VALUES ($1, 'copying', $2, $3)", [
    accountId,
    cell,
    begunBy,
  ]);
}

/** Pauses the active endpoints, so that no delivery is claimed, and ends the leases of syncs. */
export async function pauseEndpoints(source: Queryable, accountId: string): Promise<void> {
  await source.query(
    `WITH gone AS (
       UPDATE webhook_endpoint SET status = 'paused'
       WHERE account_id = $1 AND status = 'active' AND deleted_at IS NULL RETURNING id
     )
     UPDATE account_move SET paused = paused || ARRAY(SELECT id FROM gone) WHERE account_id = $1`,
    [accountId],
  );
  await source.query(
    `UPDATE sync_run SET lease_token = NULL, lease_until = NULL
     WHERE account_id = $1 AND status = 'running' AND lease_token IS NOT NULL`,
    [accountId],
  );
}

const ofEndpoints = 'endpoint_id = ANY (ARRAY(SELECT id FROM webhook_endpoint WHERE account_id = $1))';

/** Number of leased deliveries plus that of active endpoints. */
export async function countOpen(source: Queryable, accountId: string): Promise<number> {
  const [open] = await source.query<{ n: number }>(
    `SELECT (SELECT count(*) FROM due WHERE ${ofEndpoints} AND account_id = $1 AND lease_until >= clock_timestamp())::int
       + (SELECT count(*) FROM webhook_endpoint
          WHERE account_id = $1 AND status = 'active' AND deleted_at IS NULL)::int AS n`,
    [accountId],
  );
  return open?.n ?? 0;
}

/**
 * Clears expired leases and stops the account's sequence. Locks in the order of a claim and a record: gates, due rows,
 * sequence. Waits for gated claims, which may have read an active endpoint, and for the last change.
 */
export async function freeze(source: Queryable, accountId: string): Promise<void> {
  await source.query(lockGates('account_id = $1'), [accountId]);
  await source.query(
    `UPDATE due SET lease_token = NULL, lease_until = NULL
     WHERE ${ofEndpoints} AND account_id = $1 AND lease_until < clock_timestamp()`,
    [accountId],
  );
  await source.query('UPDATE account_sequence SET frozen_at = position + audit_position WHERE account_id = $1', [
    accountId,
  ]);
}

export async function setState(db: Queryable, accountId: string, state: Move['state']): Promise<void> {
  await db.query('UPDATE account_move SET state = $2, state_since = now() WHERE account_id = $1', [accountId, state]);
}

/** Opens the account in this cell and sends its deliveries. */
export async function thaw(db: Queryable, accountId: string): Promise<void> {
  await db.query(
    `WITH ended AS (DELETE FROM account_move WHERE account_id = $1 RETURNING account_id, paused),
     opened AS (
       UPDATE account_sequence q SET frozen_at = NULL FROM ended WHERE q.account_id = ended.account_id
     )
     UPDATE webhook_endpoint e SET status = 'active' FROM ended
     WHERE e.account_id = ended.account_id AND e.id = ANY (ended.paused) AND e.status = 'paused'`,
    [accountId],
  );
}
