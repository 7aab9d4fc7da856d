import { Migration } from '@mikro-orm/migrations';

/** `quotas`: the limits in which an account differs from the defaults of `kernel/quota.ts`, by resource. */
const column = `
ALTER TABLE account ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}' CHECK (
  quotas - ARRAY['api_keys', 'companies', 'agents', 'connections', 'webhook_endpoints', 'sessions'] = '{}'
  AND NOT jsonb_path_exists(quotas, 'strict $.* ? (@.type() != "number")'))`;

export class Quotas extends Migration {
  override up(): void {
    this.addSql(column);
    this.addSql("CREATE INDEX bank_connection_account ON bank_connection (account_id) WHERE status <> 'disconnected'");
  }

  override down(): void {
    this.addSql('DROP INDEX bank_connection_account');
    this.addSql('ALTER TABLE account DROP COLUMN quotas');
  }
}
