import { Migration } from '@mikro-orm/migrations';

/** Attempts get the account of their delivery; those without a delivery are deleted. */
const attempts = `
ALTER TABLE attempt ADD COLUMN account_id text COLLATE "C";
UPDATE attempt a SET account_id = d.account_id FROM delivery d WHERE d.id = a.delivery_id;
DELETE FROM attempt WHERE account_id IS NULL;
ALTER TABLE attempt ALTER COLUMN account_id SET NOT NULL;
`;

/** In a new database, `secureTables` creates the policy later. */
const rule = `
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_policy WHERE polrelid = 'attempt'::regclass AND polname = 'account_rows') THEN
    ALTER POLICY account_rows ON attempt USING (account_id = current_setting('finhook.account_id', true));
  END IF;
END $$`;

export class AttemptAccount extends Migration {
  override up(): void {
    for (const part of [attempts, rule]) this.addSql(part);
  }
}
