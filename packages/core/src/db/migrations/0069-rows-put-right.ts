import { Migration } from '@mikro-orm/migrations';

/**
 * `bank_transaction.flow_class` is the class set by a person; `updated_at` is null until the first change.
 * `transaction_month.flow_class` is the class of the summed rows set by a person or rule, '' for none;
 * `transactions_in` and `transactions_out` count rows by direction. Sums are rebuilt. `surface_settings.flow_rules` has
 * a version; `transaction_rollup.rules` are those of the sums (`rules_version`, since `rules_applied_at`).
 * `distinct_connections` are pairs of accounts that a user declared different.
 */
const columns = `
ALTER TABLE bank_transaction ADD COLUMN flow_class text, ADD COLUMN voided_at timestamptz(3),
  ADD COLUMN updated_at timestamptz(3);
CREATE INDEX bank_transaction_updated ON bank_transaction (company_id, updated_at) WHERE updated_at IS NOT NULL;
ALTER TABLE transaction_month ADD COLUMN flow_class text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN transactions_in int NOT NULL DEFAULT 0, ADD COLUMN transactions_out int NOT NULL DEFAULT 0;
ALTER TABLE transaction_month DROP CONSTRAINT transaction_month_pkey,
  ADD PRIMARY KEY (company_id, month, connection_id, currency, category, flow_class);
ALTER TABLE surface_settings ADD COLUMN flow_rules jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN rules_version int NOT NULL DEFAULT 0, ADD COLUMN distinct_connections jsonb NOT NULL DEFAULT '[]';
ALTER TABLE transaction_rollup ADD COLUMN rules jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN rules_version int NOT NULL DEFAULT 0, ADD COLUMN rules_applied_at timestamptz(3);
CREATE INDEX surface_settings_rules ON surface_settings (company_id) WHERE rules_version > 0;
DROP INDEX event_ingest;
CREATE INDEX event_ingest ON event (company_id, position)
  WHERE type IN ('bank.transaction.posted', 'bank.transaction.updated') AND NOT test;
`;

export class RowsPutRight extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql("UPDATE transaction_rollup SET refreshed_at = '-infinity'");
  }
}
