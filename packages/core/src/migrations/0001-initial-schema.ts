import { Migration } from '@mikro-orm/migrations';

/**
 * Text ids sort by bytes (COLLATE "C") because they are keyset and partition keys. `connection_id` is '' where a row
 * has none: an empty string is refused at the door, so it aliases nothing, and unique keys need no NULL rules. The
 * two ingest tables name no foreign key: their statements lock the company row themselves, once a request.
 */
const tables = `
CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE api_key (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('human', 'agent', 'read')),
  hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  last4 text NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip text,
  created_by jsonb NOT NULL,
  revoked_at timestamptz(3),
  revoked_by jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX api_key_account ON api_key (account_id, id);

CREATE TABLE company (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  name text NOT NULL,
  legal_name text,
  entity_type text,
  country text NOT NULL,
  jurisdiction text,
  tax_id_last4 text,
  base_currency text NOT NULL,
  timezone text NOT NULL,
  fiscal_year_end text,
  status text NOT NULL CHECK (status IN ('forming', 'active', 'dissolved')),
  wire_approval_threshold_cents bigint NOT NULL,
  metadata jsonb NOT NULL,
  dissolved_at timestamptz(3),
  dissolution_reason text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX company_account ON company (account_id, id);

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

CREATE TABLE financial_snapshot (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  statement_type text NOT NULL CHECK (statement_type IN ('income', 'balance', 'cashflow')),
  period_start date NOT NULL,
  period_end date NOT NULL,
  currency text NOT NULL,
  totals json NOT NULL,
  line_items json NOT NULL,
  source text NOT NULL,
  revision int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (company_id, statement_type, period_end)
);
CREATE INDEX financial_snapshot_period ON financial_snapshot (company_id, period_end, id);

CREATE TABLE financial_snapshot_revision (
  snapshot_id text COLLATE "C" NOT NULL REFERENCES financial_snapshot,
  revision int NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  period_start date NOT NULL,
  currency text NOT NULL,
  totals json NOT NULL,
  line_items json NOT NULL,
  source text NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  PRIMARY KEY (snapshot_id, revision)
);

CREATE TABLE webhook_endpoint (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  company_id text COLLATE "C" REFERENCES company,
  secret text,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
  disabled_reason text,
  consecutive_failures int NOT NULL DEFAULT 0,
  first_failed_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_success_at timestamptz(3),
  failing_notified_at timestamptz(3),
  disable_warned_at timestamptz(3),
  last_status_code int,
  last_error text,
  last_event_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
CREATE INDEX webhook_endpoint_account ON webhook_endpoint (account_id, id);

CREATE TABLE idempotency_key (
  account_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  token text NOT NULL,
  locked_until timestamptz(3) NOT NULL,
  outcome text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);
`;

/**
 * `event`, `delivery`, `attempt` and `audit_log` grow without end and are partitioned by their time-ordered ids. `due`
 * is the small work table: one row for each delivery that is to be attempted, and nothing else is ever polled. An
 * event's `body` is the JSON text whose UTF-8 bytes are sent.
 */
const feed = `
DO $$ BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'finhook needs a database with encoding UTF8';
  END IF;
END $$;

CREATE TABLE event (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C",
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  feed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  test boolean NOT NULL DEFAULT false,
  body text NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX event_feed ON event (account_id, feed_xid, id);

CREATE TABLE delivery (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C",
  event_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempt_count int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  last_status_code int,
  last_error text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX delivery_account ON delivery (account_id, id);
CREATE INDEX delivery_endpoint ON delivery (endpoint_id, id);
CREATE INDEX delivery_event ON delivery (event_id);

CREATE TABLE attempt (
  delivery_id text COLLATE "C" NOT NULL,
  n int NOT NULL,
  trigger text NOT NULL,
  at timestamptz(3) NOT NULL,
  duration_ms int NOT NULL,
  status_code int,
  error text,
  error_message text,
  response_snippet text,
  PRIMARY KEY (delivery_id, n)
) PARTITION BY RANGE (delivery_id);

CREATE TABLE due (
  delivery_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  due_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  attempt_count int NOT NULL DEFAULT 0,
  step int NOT NULL DEFAULT 0,
  test boolean NOT NULL DEFAULT false,
  lease_token text,
  lease_until timestamptz
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX due_endpoint ON due (endpoint_id, due_at, delivery_id);

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
  created_at timestamptz(3) NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX audit_log_account ON audit_log (account_id, id);

CREATE TABLE event_default PARTITION OF event DEFAULT;
CREATE TABLE delivery_default PARTITION OF delivery DEFAULT;
CREATE TABLE attempt_default PARTITION OF attempt DEFAULT;
CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;
`;

export class InitialSchema extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(feed);
  }

  override down(): void {
    this.addSql(`DROP TABLE audit_log, due, attempt, delivery, event, idempotency_key, webhook_endpoint,
      financial_snapshot_revision, financial_snapshot, bank_transaction, cash_balance, company, api_key, account`);
  }
}
