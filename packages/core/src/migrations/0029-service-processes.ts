import { Migration } from '@mikro-orm/migrations';

/**
 * The api and worker processes that are alive, as each of them says every few seconds. `webhook_endpoint_trouble` finds
 * the endpoints that an operator asks about among all others; no column of it changes with an attempt that fits a streak.
 */
const processes = `
CREATE TABLE service_process (
  id text COLLATE "C" PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('api', 'worker')),
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  in_flight int NOT NULL,
  connections_busy int NOT NULL,
  connections_idle int NOT NULL,
  connections_waiting int NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX webhook_endpoint_trouble ON webhook_endpoint (id)
WHERE deleted_at IS NULL AND (status <> 'active' OR first_failed_at IS NOT NULL OR breaker = 'open');
`;

export class ServiceProcesses extends Migration {
  override up(): void {
    this.addSql(processes);
  }

  override down(): void {
    this.addSql('DROP INDEX webhook_endpoint_trouble');
    this.addSql('DROP TABLE service_process');
  }
}
