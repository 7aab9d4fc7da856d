import { Migration } from '@mikro-orm/migrations';

/** An unconfirmed login belongs to no account, so only the service reads these rows. Both codes are hashed. */
const logins = `
CREATE TABLE device_login (
  device_hash bytea PRIMARY KEY,
  user_hash bytea NOT NULL UNIQUE,
  client_name text NOT NULL,
  ip text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  polled_at timestamptz(3)
);
CREATE INDEX device_login_expiry ON device_login (expires_at);
`;

/**
 * A person's decision, at most one per login. `input` is that of `apiKeys.create`, null for a denial. The transaction
 * that creates the key sets `used_at`.
 */
const decisions = `
CREATE TABLE device_login_decision (
  device_hash bytea PRIMARY KEY REFERENCES device_login ON DELETE CASCADE,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  key_id text COLLATE "C" NOT NULL REFERENCES api_key,
  input jsonb,
  decided_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
`;

export class DeviceLogin extends Migration {
  override up(): void {
    for (const part of [logins, decisions]) this.addSql(part);
  }
}
