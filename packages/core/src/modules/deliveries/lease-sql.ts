import { defaultTimeoutMs, maxTimeoutMs } from '@finhook/contracts';

/** Minimum time between a request's timeout and the end of its lease, in ms. */
const MARGIN_MS = 10_000;

/** Lease of a row whose endpoint has the longest timeout, in ms. */
export const longestLeaseMs = maxTimeoutMs + MARGIN_MS;

/**
 * SQL for the length of the lease of a row of `due`, in a statement whose first parameter is the endpoints: `leaseMs`
 * (a parameter), or longer for an endpoint with its own timeout above the default. The array is read once per
 * statement, from an index of such endpoints only.
 */
export function leaseSql(leaseMs: string): string {
  return `CASE WHEN endpoint_id = ANY (ARRAY(
       SELECT id FROM webhook_endpoint WHERE id = ANY ($1::text[]) AND timeout_ms > ${defaultTimeoutMs}))
       THEN greatest(${leaseMs}::int, ${longestLeaseMs}) ELSE ${leaseMs}::int END * interval '1 millisecond'`;
}
