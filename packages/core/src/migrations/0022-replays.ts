import { Migration } from '@mikro-orm/migrations';

/**
 * A replay goes through the account's feed from `cursor` on, up to the transaction that asked for it. `active` says that
 * a worker still has something to do for it, at `next_step_at`. `replay_open` is its small work table: its deliveries
 * that have not ended. `delivery.replay_id` never changes, so that updates of a delivery stay as cheap as they were.
 */
const tables = `
CREATE TABLE replay (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoint,
  kind text NOT NULL CHECK (kind IN ('replay', 'recover')),
  status text NOT NULL CHECK (status IN ('running', 'paused', 'completed', 'cancelled', 'failed')),
  selection text NOT NULL CHECK (selection IN ('missing', 'failed', 'all')),
  since timestamptz(3) NOT NULL,
  until timestamptz(3),
  types text[],
  company_id text COLLATE "C",
  asked_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  cursor_xid xid8 NOT NULL DEFAULT '0',
  cursor_id text COLLATE "C" NOT NULL DEFAULT '',
  scanned boolean NOT NULL DEFAULT false,
  active boolean NOT NULL DEFAULT true,
  next_step_at timestamptz NOT NULL DEFAULT now(),
  matched int NOT NULL,
  enqueued int NOT NULL DEFAULT 0,
  open int NOT NULL DEFAULT 0,
  delivered int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  cancelled int NOT NULL DEFAULT 0,
  waiting_for text,
  error jsonb,
  created_by jsonb NOT NULL,
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX replay_account ON replay (account_id, id);
CREATE INDEX replay_endpoint ON replay (endpoint_id, id);
CREATE INDEX replay_active ON replay (id) WHERE active;

CREATE TABLE replay_open (
  delivery_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  replay_id text COLLATE "C" NOT NULL REFERENCES replay
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX replay_open_replay ON replay_open (replay_id, delivery_id);

ALTER TABLE delivery ADD COLUMN replay_id text COLLATE "C";
CREATE INDEX delivery_replay ON delivery (replay_id, id) WHERE replay_id IS NOT NULL;
`;

export class Replays extends Migration {
  override up(): void {
    this.addSql(tables);
  }

  override down(): void {
    this.addSql('DROP INDEX delivery_replay');
    this.addSql('ALTER TABLE delivery DROP COLUMN replay_id');
    this.addSql('DROP TABLE replay_open, replay');
  }
}
