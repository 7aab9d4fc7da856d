import { Migration } from '@mikro-orm/migrations';

/**
 * `connection_ids` and `sources` limit keys of scope `ingest`. `origin_id` is the first key of a chain of rotations,
 * null for the first: posted data belongs to the chain.
 */
const keys = `
ALTER TABLE api_key DROP CONSTRAINT api_key_scope_check,
  ADD CONSTRAINT api_key_scope_check CHECK (scope IN ('human', 'agent', 'read', 'ingest')),
  ADD COLUMN connection_ids text[] COLLATE "C", ADD COLUMN sources text[], ADD COLUMN origin_id text COLLATE "C";
`;

/** Connections first posted by an ingest key, with its `origin_id`. Keys of other scopes don't use this table. */
const series = `
CREATE TABLE series_owner (
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, company_id, connection_id)
);
`;

/** The `origin_id` of the ingest key that created the snapshot, else null. */
const snapshots = 'ALTER TABLE financial_snapshot ADD COLUMN ingest_key_id text COLLATE "C"';

export class IngestKeys extends Migration {
  override up(): void {
    for (const part of [keys, series, snapshots]) this.addSql(part);
  }
}
