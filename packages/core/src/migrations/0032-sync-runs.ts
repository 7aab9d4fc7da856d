import { Migration } from '@mikro-orm/migrations';

/**
 * `waited_ms`: how long a run waited for its next page because the provider asked for it; one that waits has a lease
 * without a worker. `history_from` and `first_day`: how far back the provider says that it knows, and the first day with
 * a transaction among those that were pulled.
 */
const columns = `
ALTER TABLE sync_run
  ADD COLUMN waited_ms int NOT NULL DEFAULT 0,
  ADD COLUMN history_from date,
  ADD COLUMN first_day date;
`;

export class SyncRuns extends Migration {
  override up(): void {
    this.addSql(columns);
  }

  override down(): void {
    this.addSql('ALTER TABLE sync_run DROP COLUMN waited_ms, DROP COLUMN history_from, DROP COLUMN first_day');
  }
}
