import { Migration } from '@mikro-orm/migrations';

/** `threshold_currency`: the company's base currency may change later, and an amount without its currency says nothing. */
export class WireThreshold extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE bank_approval ADD COLUMN threshold_currency text');
  }

  override down(): void {
    this.addSql('ALTER TABLE bank_approval DROP COLUMN threshold_currency');
  }
}
