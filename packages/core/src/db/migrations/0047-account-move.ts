import { Migration } from '@mikro-orm/migrations';

/**
 * A moving or moved account. `cell` is the target, `paused` are the endpoints that were active. The source is draining,
 * frozen, then moved; the target is arriving, with the `begun_at` of the source, until it takes over.
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
 * Every change takes a position, so this check freezes the account. The update that sets `frozen_at` to the sum of both
 * positions waits for the last change.
 */
const freeze = `
ALTER TABLE account_sequence ADD COLUMN frozen_at bigint,
  ADD CONSTRAINT account_sequence_frozen CHECK (position + audit_position <= frozen_at);
`;

/** Ids of the keys in a process's SECRETS_KEY. Accounts move only to cells that have them. */
const processes = `ALTER TABLE service_process ADD COLUMN secrets_keys text[] NOT NULL DEFAULT '{}'`;

export class AccountMove extends Migration {
  override up(): void {
    for (const part of [moves, freeze, processes]) this.addSql(part);
  }
}
