import { Migration } from '@mikro-orm/migrations';

/**
 * `bank_transaction.flow_class` is the class that a person gave the row; `updated_at` is null until a row is changed for the
 * first time. `transaction_month.flow_class` is the class that a person or a rule gave the rows that it sums, '' for none;
 * `transactions_in` and `transactions_out` are those with money in and with money out. The sums are rebuilt, to have them.
 *
 * `surface_settings.flow_rules` are the rules that a person set, with a version that each change raises.
 * `transaction_rollup.rules` are those that the sums were made with, as `rules_version`, since `rules_applied_at`.
 * The sums follow the events of the index `event_ingest`: of ingested and of changed rows.
 *
 * `distinct_connections` are pairs of accounts that somebody called different.
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
