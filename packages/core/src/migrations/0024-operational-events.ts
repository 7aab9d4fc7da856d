import { Migration } from '@mikro-orm/migrations';

/** Whether an endpoint asked for operational events, and since when a backlog of its own is reported. */
const columns = `
ALTER TABLE webhook_endpoint
  ADD COLUMN operational boolean NOT NULL DEFAULT false,
  ADD COLUMN backlog_notified_at timestamptz(3);
CREATE INDEX webhook_endpoint_backlog ON webhook_endpoint (id) WHERE backlog_notified_at IS NOT NULL;
`;

export class OperationalEvents extends Migration {
  override up(): void {
    this.addSql(columns);
  }

  override down(): void {
    this.addSql('ALTER TABLE webhook_endpoint DROP COLUMN operational, DROP COLUMN backlog_notified_at');
  }
}
