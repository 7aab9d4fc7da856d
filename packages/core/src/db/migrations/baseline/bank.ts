/**
 * `connection_id` is '' for rows without one, so unique keys need no rules for NULL. Ingest tables have no foreign key:
 * their statements lock the company once per request, and labels need not be registered connections.
 */
const ingest = `
CREATE TABLE cash_balance (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  as_of date NOT NULL,
  balance_cents bigint NOT NULL,
  currency text NOT NULL,
  source text NOT NULL,
  version int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (company_id, connection_id, as_of)
) WITH (fillfactor = 85);
CREATE INDEX cash_balance_day ON cash_balance (company_id, as_of, id);

CREATE TABLE bank_transaction (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  posted_at timestamptz(3) NOT NULL,
  amount_cents bigint NOT NULL,
  currency text NOT NULL,
  currency_inferred boolean NOT NULL,
  description text NOT NULL,
  category text,
  counterparty text,
  source text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (company_id, connection_id, external_id)
);
CREATE INDEX bank_transaction_posted ON bank_transaction (company_id, posted_at, id);
`;

/**
 * A run's `cursor` and `stats` commit with the counted rows; `sync_run_running` allows one running run per connection.
 * `waited_ms` is the wait requested by the provider; a waiting run's lease has no worker. `history_from` is the start
 * of the provider's data, `first_day` the day of the first pulled transaction.
 */
const connections = `
CREATE TABLE bank_connection (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  provider text NOT NULL,
  institution_name text,
  account_name text,
  account_last4 text,
  currency text,
  external_ref text,
  config_url text,
  replaces text COLLATE "C" REFERENCES bank_connection,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'error', 'disconnected')),
  secret text,
  secret_last4 text,
  secret_configured_at timestamptz(3),
  last_synced_at timestamptz(3),
  last_sync_status text,
  error jsonb,
  backfill_status text NOT NULL DEFAULT 'none' CHECK (backfill_status IN ('none', 'running', 'complete')),
  history_from date,
  transactions_at timestamptz(3),
  connected_at timestamptz(3) NOT NULL,
  disconnected_at timestamptz(3),
  disconnected_by jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK (status <> 'disconnected' OR secret IS NULL)
);
CREATE INDEX bank_connection_company ON bank_connection (company_id, id);
CREATE INDEX bank_connection_account ON bank_connection (account_id) WHERE status <> 'disconnected';

CREATE TABLE sync_run (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL REFERENCES bank_connection,
  provider text NOT NULL,
  trigger text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'succeeded', 'partial', 'failed')),
  pull_from date NOT NULL,
  pull_until date NOT NULL,
  cursor text,
  pages int NOT NULL DEFAULT 0,
  refused int NOT NULL DEFAULT 0,
  first_refusal text,
  claims int NOT NULL DEFAULT 0,
  stats jsonb NOT NULL,
  error jsonb,
  lease_token text,
  lease_until timestamptz,
  started_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  waited_ms int NOT NULL DEFAULT 0,
  history_from date,
  first_day date
);
CREATE INDEX sync_run_connection ON sync_run (connection_id, id);
CREATE UNIQUE INDEX sync_run_running ON sync_run (connection_id) WHERE status = 'running';
`;

/** An approval keeps the threshold and currency of its creation. */
const wires = `
CREATE TABLE bank_approval (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  connection_id text COLLATE "C",
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  beneficiary jsonb NOT NULL,
  memo text,
  threshold_cents bigint NOT NULL,
  required_approvals int NOT NULL,
  reviews jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  requested_by jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  threshold_currency text
);
CREATE INDEX bank_approval_company ON bank_approval (company_id, id);
CREATE INDEX bank_approval_pending ON bank_approval (expires_at) WHERE status = 'pending';
`;

export const bank = [ingest, connections, wires].join('');
