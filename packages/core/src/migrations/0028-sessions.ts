import { Migration } from '@mikro-orm/migrations';

/**
 * A session acts as its key and ends with it, so that it holds nothing of what it may do. `hash` is that of its token,
 * peppered as the hashes of keys are. A link is deleted when it is used.
 */
const tables = `
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
`;

export class Sessions extends Migration {
  override up(): void {
    this.addSql(tables);
  }

  override down(): void {
    this.addSql('DROP TABLE sign_in_link, session');
  }
}
