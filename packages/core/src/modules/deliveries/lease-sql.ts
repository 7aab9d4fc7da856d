import { defaultTimeoutMs, maxTimeoutMs } from '@finhook/contracts';

/** The minimum time between a request's timeout and the end of its lease, in ms. */
const MARGIN_MS = 10_000;

/** The lease of a row whose endpoint has the longest timeout, in ms. */
export const longestLeaseMs = maxTimeoutMs + MARGIN_MS;

/**
 * SQL for the length of the lease of a row of `due`, in a statement whose first parameter are the endpoints: `leaseMs`
 * (a parameter), or what the longest timeout needs where the endpoint has one of its own above the default. The array is
 * read once a statement, from an index that holds such endpoints alone.
 */
export function leaseSql(leaseMs: string): string {
  return `CASE WHEN endpoint_id = ANY (ARRAY(
       SELECT id FROM webhook_endpoint WHERE id = ANY ($1::text[]) AND timeout_ms > ${defaultTimeoutMs}))
       THEN greatest(${leaseMs}::int, ${longestLeaseMs}) ELSE ${leaseMs}::int END * interval '1 millisecond'`;
}
