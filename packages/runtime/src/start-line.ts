import { databaseAddress } from './env-fields.ts';
import { serviceVersion } from './metrics.ts';

/** What runs, for the log line that says that a process serves. `database` is `host:port/name`. */
export function startLine({ databaseUrl, migration }: { databaseUrl: string; migration: string }) {
  return { version: serviceVersion(), database: databaseAddress(databaseUrl), migration };
}
