import { Migration } from '@mikro-orm/migrations';

// How long a run waited for its next page because the provider asked for it. A run that waits has a lease without a worker.
const columns = `
ALTER TABLE sync_run ADD COLUMN waited_ms int NOT NULL DEFAULT 0;
`;

export class SyncRuns extends Migration {
  override up(): void {
    this.addSql(columns);
  }

  override down(): void {
    this.addSql('ALTER TABLE sync_run DROP COLUMN waited_ms');
  }
}
