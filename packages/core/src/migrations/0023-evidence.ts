import { Migration } from '@mikro-orm/migrations';

/**
 * The evidence of an attempt stands in its own row: it is written in the same statement and goes with the same
 * partition. `request_headers` holds only those that do not follow from the row (see `evidenceOf`).
 */
export class Evidence extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE attempt
      ADD COLUMN url text,
      ADD COLUMN remote_address text,
      ADD COLUMN connection_reused boolean,
      ADD COLUMN dns_ms int,
      ADD COLUMN connect_ms int,
      ADD COLUMN tls_ms int,
      ADD COLUMN first_byte_ms int,
      ADD COLUMN request_headers json,
      ADD COLUMN response_headers json,
      ADD COLUMN evidence_purged_at timestamptz(3)`);
  }

  override down(): void {
    this.addSql(`ALTER TABLE attempt
      DROP COLUMN url, DROP COLUMN remote_address, DROP COLUMN connection_reused, DROP COLUMN dns_ms,
      DROP COLUMN connect_ms, DROP COLUMN tls_ms, DROP COLUMN first_byte_ms, DROP COLUMN request_headers,
      DROP COLUMN response_headers, DROP COLUMN evidence_purged_at`);
  }
}
