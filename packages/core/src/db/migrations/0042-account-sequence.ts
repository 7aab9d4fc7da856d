import { Migration } from '@mikro-orm/migrations';

/** One counter row per account: the positions of its newest event and audit row. The fillfactor allows HOT updates. */
const counters = `
CREATE TABLE account_sequence (
  account_id text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,
  audit_position bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
`;

/**
 * Numbers existing events in the order of the former feed: transaction id, then id. `feed_xid` stays for old cursors.
 */
const events = `
ALTER TABLE event ADD COLUMN position bigint, ALTER COLUMN feed_xid DROP DEFAULT, ALTER COLUMN feed_xid DROP NOT NULL;
DROP INDEX event_ingest;
UPDATE event SET position = n.position
FROM (SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY feed_xid, id) AS position FROM event) n
WHERE n.id = event.id;
ALTER TABLE event ALTER COLUMN position SET NOT NULL, ADD CHECK (position > 0);
`;

/** Position of an account's last event whose transaction is not after `xid`. */
const lastUpTo = (accountId: string, xid: string): string =>
  `coalesce((SELECT e.position FROM event e WHERE e.account_id = ${accountId} AND e.feed_xid <= ${xid}
    ORDER BY e.feed_xid DESC, e.id DESC LIMIT 1), 0)`;

/** A redelivered or replayed delivery follows the earlier events. */
const due = `
ALTER TABLE due ADD COLUMN position bigint;
UPDATE due SET position = coalesce(
  (SELECT e.position FROM event e WHERE e.id = due.event_id AND e.feed_xid = due.feed_xid),
  ${lastUpTo('due.account_id', 'due.feed_xid')});
ALTER TABLE due ALTER COLUMN position SET NOT NULL, DROP COLUMN feed_xid;
`;

const replays = `
ALTER TABLE replay ADD COLUMN asked_position bigint, ADD COLUMN cursor_position bigint NOT NULL DEFAULT 0;
UPDATE replay SET
  asked_position = ${lastUpTo('replay.account_id', 'asked_xid')},
  cursor_position = coalesce((SELECT e.position FROM event e
    WHERE e.account_id = replay.account_id AND (e.feed_xid, e.id) <= (cursor_xid, cursor_id)
    ORDER BY e.feed_xid DESC, e.id DESC LIMIT 1), 0),
  waiting_for = nullif(waiting_for, 'open_transactions');
ALTER TABLE replay ALTER COLUMN asked_position SET NOT NULL,
  DROP COLUMN asked_xid, DROP COLUMN cursor_xid, DROP COLUMN cursor_id;
`;

/** Sums without a row are rebuilt by the next read. */
const rollups = `
DELETE FROM transaction_rollup;
ALTER TABLE transaction_rollup DROP COLUMN snapshot, DROP COLUMN horizon, ADD COLUMN position bigint NOT NULL;
`;

/**
 * `event_ids` replaces the transaction id as the link to events. `xid` and `event_id` stay, because hashes of sealed
 * rows cover them. `audit_seal_position` is each account's last sealed position and its seal.
 */
const audit = `
ALTER TABLE audit_log ADD COLUMN position bigint, ADD COLUMN event_ids text[] COLLATE "C",
  ALTER COLUMN xid DROP DEFAULT, ALTER COLUMN xid DROP NOT NULL;
UPDATE audit_log a SET position = n.position, event_ids = CASE
  WHEN a.event_id IS NOT NULL THEN ARRAY[a.event_id]
  ELSE (SELECT array_agg(e.id ORDER BY e.id) FROM event e
        WHERE e.account_id = a.account_id AND e.feed_xid = a.xid AND NOT e.test) END
FROM (SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY xid, id) AS position FROM audit_log) n
WHERE n.id = a.id;
ALTER TABLE audit_log ALTER COLUMN position SET NOT NULL, ADD CHECK (position > 0);

CREATE TABLE audit_seal_position (
  account_id text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL,
  sequence bigint NOT NULL REFERENCES audit_seal ON DELETE CASCADE
);
INSERT INTO audit_seal_position (account_id, position, sequence)
SELECT a.account_id, max(a.position), l.sequence
FROM (SELECT * FROM audit_seal ORDER BY sequence DESC LIMIT 1) l
JOIN audit_log a ON (a.xid, a.id) <= (l.last_transaction, l.last_id) GROUP BY a.account_id, l.sequence;
ALTER TABLE audit_seal ALTER COLUMN last_transaction DROP NOT NULL, ALTER COLUMN last_id DROP NOT NULL;

DROP INDEX audit_log_xid;
CREATE INDEX audit_log_position ON audit_log (account_id, position);
`;

const begin = `
INSERT INTO account_sequence (account_id, position, audit_position)
SELECT account_id, coalesce(max(e), 0), coalesce(max(a), 0) FROM (
  SELECT account_id, position AS e, NULL::bigint AS a FROM event UNION ALL SELECT account_id, NULL, position FROM audit_log
) positions GROUP BY account_id;

DROP INDEX event_feed;
CREATE INDEX event_position ON event (account_id, position, id);
CREATE INDEX event_ingest ON event (company_id, position) WHERE type = 'bank.transaction.posted' AND NOT test;
CREATE INDEX event_transaction ON event (account_id, feed_xid, id) WHERE feed_xid IS NOT NULL;
`;

/** Replaces transaction ids, which order the rows of one server only, by a sequence per account. */
export class AccountSequence extends Migration {
  override up(): void {
    for (const part of [counters, events, due, replays, rollups, audit, begin]) this.addSql(part);
  }
}
