import { Migration } from '@mikro-orm/migrations';

/**
 * `resumed_at`: when the endpoint was last switched on again. What it answered to requests from before counts for
 * nothing. An api of the former version does not set it, until it is replaced: an answer that is still under way when its
 * owner resumes it there counts as any other, and what it can bring about at most, another disabling, he is told of.
 */
export class EndpointResumed extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE webhook_endpoint ADD COLUMN resumed_at timestamptz(3)');
  }

  override down(): void {
    this.addSql('ALTER TABLE webhook_endpoint DROP COLUMN resumed_at');
  }
}
