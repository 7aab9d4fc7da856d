import { Migration } from '@mikro-orm/migrations';

/** One row with the server, database and timeline in use. A restored database differs from it. */
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
