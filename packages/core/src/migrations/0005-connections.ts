import { Migration } from '@mikro-orm/migrations';

/**
 * A registered connection is named by `connection_id` in the ingest tables, without a foreign key: other rows there
 * carry the provider's own labels. A run's `cursor` and `stats` commit with the rows that they tell of, and
 * `sync_run_running` lets a connection have one running run.
 */
const tables = `
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
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX sync_run_connection ON sync_run (connection_id, id);
CREATE UNIQUE INDEX sync_run_running ON sync_run (connection_id) WHERE status = 'running';
`;

export class Connections extends Migration {
  override up(): void {
    this.addSql(tables);
  }

  override down(): void {
    this.addSql('DROP TABLE sync_run, bank_connection');
  }
}
