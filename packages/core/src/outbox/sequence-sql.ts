/**
 * CTE `sq`: takes positions in their accounts' sequences. `counts` is a SELECT of account_id, number of events and
 * number of audit rows. The counter's row stays locked until the commit, so positions are gapless and have the order of
 * the commits: what a snapshot shows of an account is a prefix. Several counters are locked in the order of their
 * accounts. An upsert goes on from the newest committed value, not from that of the statement's snapshot.
 */
export const takePositions = (counts: string): string => `
    sq AS (
      INSERT INTO account_sequence AS q (account_id, position, audit_position)
      SELECT * FROM (${counts}) n ORDER BY 1
      ON CONFLICT (account_id) DO UPDATE
        SET position = q.position + excluded.position, audit_position = q.audit_position + excluded.audit_position
      RETURNING account_id, position, audit_position
    )`;

/** The position of a row joined with `sq`, in the order of the ids of its account. `last` is a column of `sq`. */
export const positionSql = (last: 'position' | 'audit_position', accountId: string, id: string): string =>
  `sq.${last} + 1 - row_number() OVER (PARTITION BY ${accountId} ORDER BY ${id} COLLATE "C" DESC)`;

/**
 * SQL for the service's own jobs: true unless the account in this column is being moved to another cell, or was. Its changes
 * would fail: its sequence cannot grow. While it is only copied, it works as always.
 */
export const staysHere = (accountId: string): string =>
  `NOT EXISTS (SELECT FROM account_move m WHERE m.account_id = ${accountId} AND m.state <> 'copying')`;

/**
 * Locks the gates of the endpoints that meet the condition, in the order of their ids, so that two such statements never wait
 * for each other. It adds the missing rows and changes none.
 */
export const lockGates = (condition: string): string =>
  `INSERT INTO endpoint_flow (endpoint_id, account_id)
   SELECT id, account_id FROM webhook_endpoint WHERE ${condition} AND deleted_at IS NULL ORDER BY id
   ON CONFLICT (endpoint_id) DO UPDATE SET head_id = NULL WHERE false`;

/** The position of an account's newest event. Of one snapshot with what is read beside it, events included. */
export const currentPosition = (accountId: string): string =>
  `coalesce((SELECT position FROM account_sequence WHERE account_id = ${accountId}), 0)`;

/**
 * The order of what is due to an ordered endpoint: by the position of its event, or, of what was enqueued again, by that
 * of the newest event then. Ids decide within one position.
 */
export const queueOrder = 'position, delivery_id';
