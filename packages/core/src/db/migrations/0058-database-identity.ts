import { Migration } from '@mikro-orm/migrations';

/**
 * One row: the server, the database and the timeline that the service runs on. A database that a restore made has other
 * ones than its row.
 */
export class DatabaseIdentity extends Migration {
  override up(): void {
    this.addSql(`
CREATE TABLE database_identity (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  system_identifier text NOT NULL,
  database_oid text NOT NULL,
  timeline bigint NOT NULL
)`);
  }
}
