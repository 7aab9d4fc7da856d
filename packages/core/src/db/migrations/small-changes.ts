import { Migration } from '@mikro-orm/migrations';

/** The `CELL` of a process, '' for none. Accounts move only to the cell that their callers will reach. */
export class ProcessCell extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE service_process ADD COLUMN cell text COLLATE "C" NOT NULL DEFAULT ''`);
  }
}

/** The cause of a failure within its class, and whether the response was truncated; null for older attempts. */
export class AttemptCause extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attempt ADD COLUMN error_code text, ADD COLUMN response_truncated boolean');
  }
}

/**
 * The effect of an attempt on its delivery (`Disposition`), null if the lease was lost and for older attempts. Outcomes
 * are counted by the time of the attempt. An index on `delivery` would make its updates write all indexes.
 */
export class AttemptDisposition extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attempt ADD COLUMN disposition text');
    this.addSql('CREATE INDEX attempt_at ON attempt (at)');
  }
}

/** The decisions of `options`, in the same order. Null in rows of version 0.2.0: derived from the texts. */
export class OptionDecisions extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE agent_approval ADD COLUMN option_decisions text[]');
  }
}

/** Finds the ingest keys that reserve a connection. */
export class ReservedConnections extends Migration {
  override up(): void {
    this.addSql('CREATE INDEX api_key_reserving ON api_key (account_id) WHERE connection_ids IS NOT NULL');
  }
}

/** The start of the current state of a move, and the user, machine and process that began it. */
export class MoveReport extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE account_move
      ADD COLUMN state_since timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN begun_by text NOT NULL DEFAULT ''`);
  }
}

/**
 * Pending approvals of a company by their deadline, which is infinite for none, and its open critical flags: few rows
 * of tables that keep all decided and resolved ones.
 */
export class WaitingApprovals extends Migration {
  override up(): void {
    for (const table of ['bank_approval', 'agent_approval']) {
      this.addSql(`CREATE INDEX ${table}_waiting ON ${table}
        (company_id, (CASE WHEN expires_at IS NULL THEN 'infinity' ELSE expires_at END), id)
        WHERE status = 'pending'`);
    }
    this.addSql(`CREATE INDEX agent_flag_critical ON agent_flag (company_id, id)
      WHERE status = 'open' AND severity = 'critical'`);
  }
}

/** Moves begin with `copying`: the account works normally. */
export class MoveCopying extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE account_move DROP CONSTRAINT account_move_state_check,
      ADD CONSTRAINT account_move_state_check CHECK (state IN ('copying', 'draining', 'frozen', 'moved', 'arriving'))`);
  }
}
