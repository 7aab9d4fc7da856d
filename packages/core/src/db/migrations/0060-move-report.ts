import { Migration } from '@mikro-orm/migrations';

/** The operator's view of a move: the start of its current state, and the user, machine and process that began it. */
export class MoveReport extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE account_move
      ADD COLUMN state_since timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN begun_by text NOT NULL DEFAULT ''`);
  }
}
