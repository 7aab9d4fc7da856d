/**
 * Text ids sort by bytes (COLLATE "C") because they are keyset and partition keys. `account.quotas` has limits that
 * differ from the defaults of `access/quota.ts`. `api_key.company_ids`, `permissions` and `ip_allowlist` are null for
 * unrestricted keys; `overlap_until` is the end of a rotated key. `person_id` comes from the rotated or creating key;
 * null means a person of its own. A session acts as its key; its `hash` is that of its token. Sign-in links are deleted
 * when used. Signed-out operators' cookies are kept until they expire.
 */
export const accounts = `
CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  quotas jsonb NOT NULL DEFAULT '{}' CHECK (
    quotas - ARRAY['api_keys', 'companies', 'agents', 'connections', 'webhook_endpoints', 'sessions'] = '{}'
    AND NOT jsonb_path_exists(quotas, 'strict $.* ? (@.type() != "number")'))
);

CREATE TABLE api_key (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('human', 'agent', 'read')),
  hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  last4 text NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip text,
  created_by jsonb NOT NULL,
  revoked_at timestamptz(3),
  revoked_by jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  company_ids text[] COLLATE "C",
  permissions text[],
  ip_allowlist text[],
  agent_id text COLLATE "C",
  rotated_to text COLLATE "C",
  overlap_until timestamptz(3),
  person_id text COLLATE "C"
);
CREATE INDEX api_key_account ON api_key (account_id, id);
CREATE INDEX api_key_overlap ON api_key (overlap_until) WHERE overlap_until IS NOT NULL;

CREATE TABLE session (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  key_id text COLLATE "C" NOT NULL REFERENCES api_key,
  hash bytea NOT NULL UNIQUE,
  ip text,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX session_account ON session (account_id, id);
CREATE INDEX session_key ON session (key_id) WHERE ended_at IS NULL;
CREATE INDEX session_last_seen ON session (last_seen_at);

CREATE TABLE sign_in_link (
  hash bytea PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  key_id text COLLATE "C" NOT NULL REFERENCES api_key,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_link_expiry ON sign_in_link (expires_at);

CREATE TABLE operator_sign_out (
  session_id text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);

CREATE TABLE idempotency_key (
  account_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  token text NOT NULL,
  locked_until timestamptz(3) NOT NULL,
  outcome text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);
`;
