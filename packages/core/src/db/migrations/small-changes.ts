import { Migration } from '@mikro-orm/migrations';

/** The `CELL` of a process, '' for none: an account moves only to the cell that its callers will be named. */
export class ProcessCell extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE service_process ADD COLUMN cell text COLLATE "C" NOT NULL DEFAULT ''`);
  }
}

/** The cause of a failure within its class, and whether the response was cut off, which is not known of older attempts. */
export class AttemptCause extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attempt ADD COLUMN error_code text, ADD COLUMN response_truncated boolean');
  }
}

/**
 * The effect of an attempt on its delivery (`Disposition`), and the order of attempts in time: outcomes are counted by
 * the time of the attempt, which may be days after the delivery's id. It is null if the lease was lost, and for older
 * attempts. The index is on `attempt`, which is only appended to: on `delivery.updated_at` each update would write all
 * indexes of the row.
 */
export class AttemptDisposition extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attempt ADD COLUMN disposition text');
    this.addSql('CREATE INDEX attempt_at ON attempt (at)');
  }
}

/**
 * The decisions of `options`, in the same order. Null in rows of version 0.2.0, whose processes may run beside later ones:
 * it follows from the texts then.
 */
export class OptionDecisions extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE agent_approval ADD COLUMN option_decisions text[]');
  }
}

/** Finds the ingest keys that list a connection: each post of a key that lists none asks for them. */
export class ReservedConnections extends Migration {
  override up(): void {
    this.addSql('CREATE INDEX api_key_reserving ON api_key (account_id) WHERE connection_ids IS NOT NULL');
  }
}

/** The operator's view of a move: the start of its current state, and the user, machine and process that began it. */
export class MoveReport extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE account_move
      ADD COLUMN state_since timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN begun_by text NOT NULL DEFAULT ''`);
  }
}

/** A move begins with `copying`: the account works as before, and operators see the move. */
export class MoveCopying extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE account_move DROP CONSTRAINT account_move_state_check,
      ADD CONSTRAINT account_move_state_check CHECK (state IN ('copying', 'draining', 'frozen', 'moved', 'arriving'))`);
  }
}
