import { Migration } from '@mikro-orm/migrations';

/**
 * `account_type` of a balance is the sender's. `connection_account_type` has the last sent type per connection,
 * `accounts` the types set by users; '' stands for rows without a connection.
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
