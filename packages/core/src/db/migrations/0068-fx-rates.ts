import { Migration } from '@mikro-orm/migrations';

/** One set of exchange rates per account: decimal numbers in text by currency. */
export class FxRates extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE fx_rates (
      account_id text COLLATE "C" PRIMARY KEY REFERENCES account,
      base text NOT NULL,
      as_of date NOT NULL,
      rates jsonb NOT NULL,
      source text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )`);
  }
}
