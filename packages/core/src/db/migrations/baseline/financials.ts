const snapshots = `
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
`;

/**
 * Sums of transactions that follow the feed, not written by ingest. `transaction_rollup.snapshot` records the ingests
 * that they contain; later ones, above `horizon`, are found with the index `event_ingest` and read from event bodies.
 * `transaction_receipt` has the last arrival per series without a registered connection.
 */
const figures = `
CREATE TABLE surface_settings (
  company_id text COLLATE "C" PRIMARY KEY REFERENCES company,
  account_id text COLLATE "C" NOT NULL,
  excluded_categories text[],
  excluded_inflow_categories text[],
  excluded_connections text[] NOT NULL,
  exclude_suspected_transfers boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE transaction_rollup (
  company_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  timezone text NOT NULL,
  snapshot pg_snapshot NOT NULL,
  horizon xid8 NOT NULL,
  refreshed_at timestamptz(3) NOT NULL
);

CREATE TABLE transaction_month (
  company_id text COLLATE "C" NOT NULL,
  month date NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  money_in numeric NOT NULL,
  money_out numeric NOT NULL,
  transactions int NOT NULL,
  PRIMARY KEY (company_id, month, connection_id, currency, category)
);

CREATE TABLE transaction_day (
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  currency text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  net numeric NOT NULL,
  transactions int NOT NULL,
  PRIMARY KEY (company_id, connection_id, day, currency)
);

CREATE TABLE transaction_receipt (
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, connection_id)
);

CREATE TABLE changed_duplicate (
  company_id text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  differs text[] NOT NULL,
  times int NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, transaction_id)
);
CREATE INDEX changed_duplicate_seen ON changed_duplicate (company_id, last_seen_at);
`;

export const financials = [snapshots, figures].join('');
