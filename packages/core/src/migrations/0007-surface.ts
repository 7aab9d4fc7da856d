import { Migration } from '@mikro-orm/migrations';

/**
 * Sums of transactions, which follow the feed: ingest does not touch them. `transaction_rollup.snapshot` says which
 * ingests they hold; the others, none of them below its `horizon`, are found through `event_ingest` and their rows read from the events' bodies.
 * `transaction_receipt` says when a stream without a registered connection last sent rows, also rows that were all known.
 */
const tables = `
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

CREATE INDEX event_ingest ON event (company_id, feed_xid) WHERE type = 'bank.transaction.posted' AND NOT test;
`;

export class Surface extends Migration {
  override up(): void {
    this.addSql(tables);
  }

  override down(): void {
    this.addSql('DROP INDEX event_ingest');
    this.addSql(`DROP TABLE changed_duplicate, transaction_receipt, transaction_day, transaction_month,
      transaction_rollup, surface_settings`);
  }
}
