import { Migration } from '@mikro-orm/migrations';

/**
 * `resumed_at`: when the endpoint was last switched on again. What it answered to requests from before counts for
 * nothing. An api of the former version does not set it, until it is replaced: an answer that is still under way when its
 * owner resumes it there counts as any other, and what it can bring about at most, another disabling, he is told of.
 * Replays that were paused when their endpoint was deleted are looked at once more, which ends them.
 */
export class EndpointResumed extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_endpoint ADD COLUMN resumed_at timestamptz(3)');
    this.addSql(`UPDATE replay r SET active = true FROM webhook_endpoint e
      WHERE e.id = r.endpoint_id AND e.deleted_at IS NOT NULL AND r.status = 'paused'`);
  }

  override down(): void {
    this.addSql('ALTER TABLE webhook_endpoint DROP COLUMN resumed_at');
  }
}
