import { Migration } from '@mikro-orm/migrations';

/**
 * `account_type` of a balance is what its sender named. `connection_account_type` has the type that a stored post named last
 * for each connection; `accounts` maps connections to the types that somebody set, '' for rows without a connection.
 */
const types = `
ALTER TABLE cash_balance ADD COLUMN account_type text;
CREATE TABLE connection_account_type (
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  account_type text NOT NULL,
  PRIMARY KEY (company_id, connection_id)
);
ALTER TABLE surface_settings ADD COLUMN accounts jsonb NOT NULL DEFAULT '{}';
`;

export class AccountTypes extends Migration {
  override up(): void {
    this.addSql(types);
  }
}
