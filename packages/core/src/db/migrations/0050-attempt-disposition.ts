import { Migration } from '@mikro-orm/migrations';

/**
 * The effect of an attempt on its delivery (`Disposition`), and the order of attempts in time: outcomes are counted by
 * the time of the attempt, which may be days after the delivery's id. It is null if the lease was lost, and for older
 * attempts. The index is on `attempt`, which is only appended to: on `delivery.updated_at` each update would write all
 * indexes of the row.
 */
export class AttemptDisposition extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attempt ADD COLUMN disposition text');
    this.addSql('CREATE INDEX attempt_at ON attempt (at)');
  }
}
