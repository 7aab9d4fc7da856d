import { Migration } from '@mikro-orm/migrations';

/** Who requested an approval that is older than the column. */
const requesters = `
UPDATE agent_approval a SET requested_by = l.actor
FROM audit_log l
WHERE l.resource_id = a.id AND l.action = 'agentApprovals.request' AND a.requested_by IS NULL`;

export class ApprovalRequesters extends Migration {
  override up(): void {
    this.addSql(requesters);
  }

  override down(): void {
    this.addSql('SELECT 1');
  }
}
