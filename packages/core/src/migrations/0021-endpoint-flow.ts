import { Migration } from '@mikro-orm/migrations';

/**
 * What bounds the sends to an endpoint. `gated` marks the endpoints of which claims have to ask more than whether
 * something is due; all others are claimed from as before. `endpoint_flow` is written by those claims alone, and its
 * row is their lock. `due.feed_xid` is the place in the feed by which an ordered endpoint is served: the transaction
 * that made the row is the one that emitted the event, or sent it again. `due_manual` finds what was asked for by hand,
 * which passes where the rest waits; nothing that a claim writes is part of it.
 */
const flow = `
ALTER TABLE webhook_endpoint
  ADD COLUMN rate_limit_requests int,
  ADD COLUMN rate_limit_seconds int,
  ADD COLUMN max_concurrency int,
  ADD COLUMN ordered boolean NOT NULL DEFAULT false,
  ADD COLUMN breaker text NOT NULL DEFAULT 'closed' CHECK (breaker IN ('closed', 'open')),
  ADD COLUMN breaker_since timestamptz(3),
  ADD COLUMN next_probe_at timestamptz(3),
  ADD COLUMN probe_wait_ms int,
  ADD COLUMN unreachable_count int NOT NULL DEFAULT 0,
  ADD COLUMN hold_until timestamptz(3),
  ADD COLUMN paced_to float8,
  ADD COLUMN gated boolean NOT NULL GENERATED ALWAYS AS (
    rate_limit_requests IS NOT NULL OR max_concurrency IS NOT NULL OR ordered OR breaker = 'open'
    OR hold_until IS NOT NULL OR paced_to IS NOT NULL) STORED,
  ADD CHECK ((rate_limit_requests IS NULL) = (rate_limit_seconds IS NULL));

CREATE TABLE endpoint_flow (
  endpoint_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  tokens float8,
  tokens_at timestamptz,
  probed_at timestamptz,
  held text[] COLLATE "C" NOT NULL DEFAULT '{}',
  head_id text COLLATE "C"
);

ALTER TABLE due ADD COLUMN feed_xid xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX due_manual ON due (endpoint_id, due_at) WHERE due_at IS DISTINCT FROM next_attempt_at;
`;

export class EndpointFlow extends Migration {
  override up(): void {
    this.addSql(flow);
  }

  override down(): void {
    this.addSql('DROP INDEX due_manual');
    this.addSql('ALTER TABLE due DROP COLUMN feed_xid');
    this.addSql('DROP TABLE endpoint_flow');
    this.addSql(`ALTER TABLE webhook_endpoint DROP COLUMN gated, DROP COLUMN rate_limit_requests,
      DROP COLUMN rate_limit_seconds, DROP COLUMN max_concurrency, DROP COLUMN ordered, DROP COLUMN breaker,
      DROP COLUMN breaker_since, DROP COLUMN next_probe_at, DROP COLUMN probe_wait_ms, DROP COLUMN unreachable_count,
      DROP COLUMN hold_until, DROP COLUMN paced_to`);
  }
}
