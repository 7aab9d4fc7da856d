import { Migration } from '@mikro-orm/migrations';

/**
 * One row per request to the API with a key. The primary key is the order of every list; failed requests, which are
 * looked for and rare, have an index of their own. More indexes would cost each request more than the log is worth.
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
