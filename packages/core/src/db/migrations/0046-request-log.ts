import { Migration } from '@mikro-orm/migrations';

/**
 * One row per API request with a key, listed by primary key. Only failed requests have an index of their own, to keep
 * the log cheap.
 */
const requests = `
CREATE TABLE request_log (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  operation text COLLATE "C",
  status smallint NOT NULL,
  code text COLLATE "C",
  duration_ms real NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  ip text,
  user_agent text,
  idempotency_key text,
  idempotency_replayed boolean NOT NULL,
  PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX request_log_failed ON request_log (account_id, id) WHERE status >= 400;
CREATE TABLE request_log_default PARTITION OF request_log DEFAULT;
`;

export class RequestLog extends Migration {
  override up(): void {
    this.addSql(requests);
  }
}
