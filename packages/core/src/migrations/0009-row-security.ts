import { Migration } from '@mikro-orm/migrations';

/**
 * The chain of seals over the audit log: each names its rows in the order (transaction id, id) with the SHA-256 of each,
 * and its own hash covers the one before. `last_xid` and `last_id` are the position of its last row. Row-level security
 * itself is put on by `secureTables`, after the migrations.
 */
const seals = `
UPDATE audit_log SET xid = pg_current_xact_id() WHERE xid IS NULL;
ALTER TABLE audit_log ALTER COLUMN xid SET NOT NULL;
CREATE INDEX audit_log_xid ON audit_log (xid, id);

CREATE TABLE audit_seal (
  sequence bigint PRIMARY KEY,
  last_xid xid8 NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  row_ids text[] COLLATE "C" NOT NULL,
  row_hashes text[] NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL,
  sealed_at timestamptz(3) NOT NULL
);
`;

export class RowSecurity extends Migration {
  override up(): void {
    this.addSql(seals);
  }

  override down(): void {
    this.addSql('DROP TABLE audit_seal');
    this.addSql('DROP INDEX audit_log_xid');
    this.addSql('ALTER TABLE audit_log ALTER COLUMN xid DROP NOT NULL');
  }
}
