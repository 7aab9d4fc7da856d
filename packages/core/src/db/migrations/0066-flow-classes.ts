import { Migration } from '@mikro-orm/migrations';

/**
 * Pairs are left out of burn by default: a stored `false` that nobody chose becomes null. Categories are normalised
 * anew, so their sums are rebuilt. The indexes cover only the few rows that may be transfers, so that no other
 * statement, planned on an empty table, uses them.
 */
export class FlowClasses extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX IF NOT EXISTS bank_transaction_amount
      ON bank_transaction (company_id, currency, amount_cents, posted_at) WHERE amount_cents <> 0`);
    this.addSql(`CREATE INDEX IF NOT EXISTS bank_transaction_card ON bank_transaction (company_id, posted_at, id)
      WHERE normalize(category, NFKC) ILIKE '%credit%card%payment%'`);
    this.addSql('ALTER TABLE surface_settings ALTER COLUMN exclude_suspected_transfers DROP NOT NULL');
    this.addSql(`UPDATE surface_settings s SET exclude_suspected_transfers = NULL
      WHERE NOT exclude_suspected_transfers AND NOT EXISTS (
        SELECT FROM audit_log a
        WHERE a.account_id = s.account_id AND a.resource_id = s.company_id AND a.action = 'financials.settings.update'
          AND a.before -> 'exclude_suspected_transfers' IS DISTINCT FROM a.after -> 'exclude_suspected_transfers')`);
    this.addSql("UPDATE transaction_rollup SET refreshed_at = '-infinity'");
  }
}
