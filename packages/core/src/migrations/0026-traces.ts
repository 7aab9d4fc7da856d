import { Migration } from '@mikro-orm/migrations';

/**
 * The trace that an event goes on with (W3C `traceparent`), for its deliveries. The column's default takes it from the
 * setting that binds a request to its account: statements that store events name neither, and pay nothing for it.
 */
const columns = `
ALTER TABLE event ADD COLUMN traceparent text;
ALTER TABLE event ALTER COLUMN traceparent SET DEFAULT nullif(current_setting('finhook.traceparent', true), '');
`;

export class Traces extends Migration {
  override up(): void {
    this.addSql(columns);
  }

  override down(): void {
    this.addSql('ALTER TABLE event DROP COLUMN traceparent');
  }
}
