/**
 * `due` has one row per delivery to attempt, and is the only polled table. `due.feed_xid` orders the deliveries of
 * ordered endpoints. `due_endpoint` has no delivery id, or plans made on an empty table would use it instead of the
 * primary key. `due_manual` finds manual attempts; claims write none of its columns. The evidence of an attempt is in
 * its row, and `request_headers` has only headers that do not follow from the row (`evidenceOf`).
 */
const attempts = `
CREATE TABLE delivery (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C",
  event_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempt_count int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  last_status_code int,
  last_error text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  replay_id text COLLATE "C"
) PARTITION BY RANGE (id);
CREATE INDEX delivery_account ON delivery (account_id, id);
CREATE INDEX delivery_endpoint ON delivery (endpoint_id, id);
CREATE INDEX delivery_event ON delivery (event_id);
CREATE INDEX delivery_replay ON delivery (replay_id, id) WHERE replay_id IS NOT NULL;
CREATE TABLE delivery_default PARTITION OF delivery DEFAULT;

CREATE TABLE attempt (
  delivery_id text COLLATE "C" NOT NULL,
  n int NOT NULL,
  trigger text NOT NULL,
  at timestamptz(3) NOT NULL,
  duration_ms int NOT NULL,
  status_code int,
  error text,
  error_message text,
  response_snippet text,
  url text,
  remote_address text,
  connection_reused boolean,
  dns_ms int,
  connect_ms int,
  tls_ms int,
  first_byte_ms int,
  request_headers json,
  response_headers json,
  evidence_purged_at timestamptz(3),
  PRIMARY KEY (delivery_id, n)
) PARTITION BY RANGE (delivery_id);
CREATE TABLE attempt_default PARTITION OF attempt DEFAULT;

CREATE TABLE due (
  delivery_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  due_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  attempt_count int NOT NULL DEFAULT 0,
  step int NOT NULL DEFAULT 0,
  test boolean NOT NULL DEFAULT false,
  lease_token text,
  lease_until timestamptz,
  feed_xid xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX due_endpoint ON due (endpoint_id, due_at);
CREATE INDEX due_manual ON due (endpoint_id, due_at) WHERE due_at IS DISTINCT FROM next_attempt_at;
`;

/**
 * A replay reads the feed from `cursor` up to the transaction that requested it. A worker continues `active` ones at
 * `next_step_at`. `replay_open` is the work table of open deliveries. `delivery.replay_id` never changes, so it costs
 * updates nothing.
 */
const replays = `
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
`;

export const deliveries = [attempts, replays].join('');
