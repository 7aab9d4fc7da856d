/**
 * `headers`, `private_key`, `secret` and `previous_secret` are encrypted; readers get `masked_headers`. `filter_path`
 * is `filter` as the database evaluates it. `backlog_notified_at` is the start of a reported backlog. Attempts before
 * `resumed_at` do not count against health. `gated` endpoints have claims with further conditions, which lock the
 * endpoint's row of `endpoint_flow`. `webhook_endpoint_trouble` finds unhealthy endpoints; further failures change none
 * of its columns.
 */
export const webhooks = `
CREATE TABLE webhook_endpoint (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  company_id text COLLATE "C" REFERENCES company,
  secret text,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
  disabled_reason text,
  consecutive_failures int NOT NULL DEFAULT 0,
  first_failed_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_success_at timestamptz(3),
  failing_notified_at timestamptz(3),
  disable_warned_at timestamptz(3),
  last_status_code int,
  last_error text,
  last_event_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  include_internal boolean NOT NULL DEFAULT false,
  headers text,
  masked_headers jsonb NOT NULL DEFAULT '{}',
  timeout_ms int,
  retry_schedule jsonb,
  filter jsonb,
  filter_path jsonpath,
  metadata jsonb NOT NULL DEFAULT '{}',
  signature_versions text[] NOT NULL DEFAULT '{v1}',
  public_key text,
  private_key text,
  previous_secret text,
  previous_secret_until timestamptz(3),
  pinged_at timestamptz(3),
  rate_limit_requests int,
  rate_limit_seconds int,
  max_concurrency int,
  ordered boolean NOT NULL DEFAULT false,
  breaker text NOT NULL DEFAULT 'closed' CHECK (breaker IN ('closed', 'open')),
  breaker_since timestamptz(3),
  next_probe_at timestamptz(3),
  probe_wait_ms int,
  unreachable_count int NOT NULL DEFAULT 0,
  hold_until timestamptz(3),
  paced_to float8,
  gated boolean NOT NULL GENERATED ALWAYS AS (
    rate_limit_requests IS NOT NULL OR max_concurrency IS NOT NULL OR ordered OR breaker = 'open'
    OR hold_until IS NOT NULL OR paced_to IS NOT NULL) STORED,
  operational boolean NOT NULL DEFAULT false,
  backlog_notified_at timestamptz(3),
  resumed_at timestamptz(3),
  CHECK ((rate_limit_requests IS NULL) = (rate_limit_seconds IS NULL))
);
CREATE INDEX webhook_endpoint_account ON webhook_endpoint (account_id, id);
CREATE INDEX webhook_endpoint_overlap ON webhook_endpoint (previous_secret_until) WHERE previous_secret_until IS NOT NULL;
CREATE INDEX webhook_endpoint_slow ON webhook_endpoint (id) WHERE timeout_ms > 15000;
CREATE INDEX webhook_endpoint_backlog ON webhook_endpoint (id) WHERE backlog_notified_at IS NOT NULL;
CREATE INDEX webhook_endpoint_trouble ON webhook_endpoint (id)
WHERE deleted_at IS NULL AND (status <> 'active' OR first_failed_at IS NOT NULL OR breaker = 'open');

CREATE TABLE endpoint_flow (
  endpoint_id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  tokens float8,
  tokens_at timestamptz,
  probed_at timestamptz,
  held text[] COLLATE "C" NOT NULL DEFAULT '{}',
  head_id text COLLATE "C"
);
`;
