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

/** The position of an account's newest event. Of one snapshot with what is read beside it, events included. */
export const currentPosition = (accountId: string): string =>
  `coalesce((SELECT position FROM account_sequence WHERE account_id = ${accountId}), 0)`;

/**
 * SQL: false if the account in this column is moving to another cell, or has moved. Changes would fail, because its
 * sequence is frozen. While it is only copied, it works normally.
 */
export const isNotMoving = (accountId: string): string =>
  `NOT EXISTS (SELECT FROM account_move m WHERE m.account_id = ${accountId} AND m.state <> 'copying')`;
