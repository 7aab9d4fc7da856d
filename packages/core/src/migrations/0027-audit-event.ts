import { Migration } from '@mikro-orm/migrations';

/** The event of a row whose transaction stored others beside it; without one, a row's events are its transaction's. */
export class AuditEvent extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE audit_log ADD COLUMN event_id text COLLATE "C"');
  }

  override down(): void {
    this.addSql('ALTER TABLE audit_log DROP COLUMN event_id');
  }
}
