import { databaseAddress } from './env-fields.ts';
import { serviceVersion } from './metrics.ts';

/** Fields of the log line of a started process. `database` is `host:port/name`. */
export function startLine({ databaseUrl, migration }: { databaseUrl: string; migration: string }) {
  return { version: serviceVersion(), database: databaseAddress(databaseUrl), migration };
}
