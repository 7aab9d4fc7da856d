import { Migration } from '@mikro-orm/migrations';

/** A move begins with `copying`: the account works as before, and operators see the move. */
export class MoveCopying extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE account_move DROP CONSTRAINT account_move_state_check,
      ADD CONSTRAINT account_move_state_check CHECK (state IN ('copying', 'draining', 'frozen', 'moved', 'arriving'))`);
  }
}
