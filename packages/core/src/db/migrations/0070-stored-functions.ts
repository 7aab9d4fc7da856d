import { Migration } from '@mikro-orm/migrations';

/** The functions that processes call. Names contain a hash of the function's text. */
export class StoredFunctions extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE stored_function (
        name text COLLATE "C" PRIMARY KEY,
        seen_at timestamptz NOT NULL
      )`);
    this.addSql(`ALTER TABLE service_process ADD COLUMN functions text[] NOT NULL DEFAULT '{}'`);
  }
}
