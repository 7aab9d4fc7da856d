/**
 * An audit row and its events share the transaction id, so `event` needs no further column. `event_id` is set if the
 * transaction stored several events. The actor has columns, because row-level security prevents indexes on JSON
 * expressions. `audit_seal` is the chain of seals: each has the SHA-256 of its rows in the order (transaction id, id),
 * its hash covers the previous seal, and `last_transaction` and `last_id` are its last row.
 */
export const audit = `
CREATE TABLE audit_log (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C",
  actor jsonb NOT NULL,
  action text NOT NULL,
  resource_id text NOT NULL,
  request_id text NOT NULL,
  ip text,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  actor_id text COLLATE "C",
  actor_type text COLLATE "C",
  event_id text COLLATE "C"
) PARTITION BY RANGE (id);
CREATE INDEX audit_log_account ON audit_log (account_id, id);
CREATE INDEX audit_log_company ON audit_log (company_id, id) WHERE company_id IS NOT NULL;
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_resource ON audit_log (resource_id, id)
  WHERE action <> 'cash.balances.upsert' AND action <> 'bank.transactions.ingest';
CREATE INDEX audit_log_action ON audit_log (account_id, action, id)
  WHERE action <> 'cash.balances.upsert' AND action <> 'bank.transactions.ingest';
CREATE INDEX audit_log_rare ON audit_log (account_id, id)
  WHERE actor_type <> 'api_key' OR action <> 'cash.balances.upsert' AND action <> 'bank.transactions.ingest';
CREATE INDEX audit_log_xid ON audit_log (xid, id);
CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;

CREATE TABLE audit_seal (
  sequence bigint PRIMARY KEY,
  last_transaction xid8 CONSTRAINT audit_seal_last_xid_not_null NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  row_ids text[] COLLATE "C" NOT NULL,
  row_hashes text[] NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL,
  sealed_at timestamptz(3) NOT NULL
);
`;
