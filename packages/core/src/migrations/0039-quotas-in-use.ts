import { Migration } from '@mikro-orm/migrations';

/**
 * Accounts that are at a default of that day, or above it, get twice what they have: as much alone would refuse the next one,
 * and the rotation of a key. What counts is what `kernel/quota.ts` counts; endpoints had their limit before.
 */
const inUse = `
UPDATE account SET quotas = used.quotas || account.quotas
FROM (
  SELECT account_id, jsonb_object_agg(resource, 2 * count) AS quotas
  FROM (
    SELECT account_id, 'api_keys' AS resource, 100 AS quota, count(*) AS count FROM api_key
    WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) GROUP BY account_id
    UNION ALL
    SELECT account_id, 'companies', 1000, count(*) FROM company WHERE status <> 'dissolved' GROUP BY account_id
    UNION ALL
    SELECT account_id, 'agents', 500, count(*) FROM agent GROUP BY account_id
    UNION ALL
    SELECT account_id, 'connections', 1000, count(*) FROM bank_connection WHERE status <> 'disconnected' GROUP BY account_id
  ) counts
  WHERE count >= quota GROUP BY account_id
) used
WHERE account.id = used.account_id`;

export class QuotasInUse extends Migration {
  override up(): void {
    this.addSql(inUse);
  }

  override down(): void {
    this.addSql('SELECT 1');
  }
}
