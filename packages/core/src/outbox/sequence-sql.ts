/**
 * CTE `sq`: takes positions in the sequences of accounts. `counts` is a SELECT of account_id, number of events and
 * number of audit rows. The row lock until the commit keeps positions gapless and in the order of commits, so a snapshot
 * sees a prefix of an account's events; the order by account prevents deadlocks. The upsert continues from the newest
 * committed value, not from that of the statement's snapshot.
 */
export const takePositions = (counts: string): string => `
    sq AS (
      INSERT INTO account_sequence AS q (account_id, position, audit_position)
      SELECT * FROM (${counts}) n ORDER BY 1
      ON CONFLICT (account_id) DO UPDATE
        SET position = q.position + excluded.position, audit_position = q.audit_position + excluded.audit_position
      RETURNING account_id, position, audit_position
    )`;

/** Position of a row joined with `sq`, in the order of ids. `last` is the column of `sq`. */
export const positionSql = (last: 'position' | 'audit_position', accountId: string, id: string): string =>
  `sq.${last} + 1 - row_number() OVER (PARTITION BY ${accountId} ORDER BY ${id} COLLATE "C" DESC)`;

/** Position of the account's newest event, in the statement's snapshot. */
export const currentPosition = (accountId: string): string =>
  `coalesce((SELECT position FROM account_sequence WHERE account_id = ${accountId}), 0)`;

/**
 * SQL: false if the account in this column is moving to another cell, or has moved. Changes would fail, because its
 * sequence is frozen. While it is only copied, it works normally.
 */
export const isNotMoving = (accountId: string): string =>
  `NOT EXISTS (SELECT FROM account_move m WHERE m.account_id = ${accountId} AND m.state <> 'copying')`;
