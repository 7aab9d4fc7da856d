import { Migration } from '@mikro-orm/migrations';

/** The `CELL` of a process, '' for none: an account moves only to the cell that its callers will be named. */
export class ProcessCell extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE service_process ADD COLUMN cell text COLLATE "C" NOT NULL DEFAULT ''`);
  }
}
