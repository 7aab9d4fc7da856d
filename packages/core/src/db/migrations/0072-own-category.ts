import { Migration } from '@mikro-orm/migrations';

/**
 * `bank_transaction.own_category` is the category set by a person; `category` stays as posted. The monthly sums are by the
 * category that applies, so they stay as they are until somebody sets one. An index would make writers wait for a scan:
 * changed rows are found by `bank_transaction_updated`.
 */
export class OwnCategory extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE bank_transaction ADD COLUMN own_category text');
  }
}
