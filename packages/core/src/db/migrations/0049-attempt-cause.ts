import { Migration } from '@mikro-orm/migrations';

/** The cause of a failure within its class, and whether the response was cut off, which is not known of older attempts. */
export class AttemptCause extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attempt ADD COLUMN error_code text, ADD COLUMN response_truncated boolean');
  }
}
