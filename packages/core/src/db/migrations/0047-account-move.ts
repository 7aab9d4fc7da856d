import { Migration } from '@mikro-orm/migrations';

/**
 * An account that is being moved to another cell, or was. `cell` is the target's name, `paused` are the endpoints that were
 * active. The source goes from draining over frozen to moved; the target is arriving until it takes over, with the `begun_at`
 * of the source.
 */
const moves = `
CREATE TABLE account_move (
  account_id text COLLATE "C" PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('draining', 'frozen', 'moved', 'arriving')),
  cell text NOT NULL,
  paused text[] COLLATE "C" NOT NULL DEFAULT '{}',
  begun_at timestamptz NOT NULL DEFAULT now()
);
`;

/**
 * Every change takes a position, so an account whose counters cannot grow is frozen: the check runs where the row is updated
 * anyway, and the update that sets `frozen_at`, the sum of both, waits for the last change.
 */
const freeze = `
ALTER TABLE account_sequence ADD COLUMN frozen_at bigint,
  ADD CONSTRAINT account_sequence_frozen CHECK (position + audit_position <= frozen_at);
`;

/** The ids of the keys in a process's SECRETS_KEY: an account moves only to a cell that has them. */
const processes = `ALTER TABLE service_process ADD COLUMN secrets_keys text[] NOT NULL DEFAULT '{}'`;

export class AccountMove extends Migration {
  override up(): void {
    for (const part of [moves, freeze, processes]) this.addSql(part);
  }
}
