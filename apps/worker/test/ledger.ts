import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';

/** An accepted delivery and its requests. */
interface LedgerLine {
  readonly delivery: string;
  readonly event: string;
  readonly url: string;
  readonly status: string;
  /** True if it has a row in `due`. */
  readonly scheduled: boolean;
  /** True if it has a lease, even of a dead worker. */
  readonly leased: boolean;
  /** Numbers of the recorded attempts, in order. */
  readonly recorded: readonly number[];
  /** Numbers of the received attempts, in order of arrival. */
  readonly received: readonly number[];
}

export interface Ledger {
  readonly lines: readonly LedgerLine[];
  /** Requests that match no accepted delivery, event or endpoint. */
  readonly strangers: readonly string[];
}

/** Compares accepted deliveries with received requests. */
export async function readLedger(fixture: Pick<WorkerFixture, 'query' | 'receiver'>): Promise<Ledger> {
  const rows = await fixture.query<Omit<LedgerLine, 'received'>>(
    `SELECT d.id AS delivery, d.event_id AS event, e.url, d.status, due.delivery_id IS NOT NULL AS scheduled,
       due.lease_token IS NOT NULL AS leased,
       coalesce(a.numbers, '{}') AS recorded
     FROM delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id LEFT JOIN due ON due.delivery_id = d.id
       LEFT JOIN (SELECT delivery_id, array_agg(n ORDER BY n) AS numbers FROM attempt GROUP BY delivery_id) a
         ON a.delivery_id = d.id
     ORDER BY d.id`,
  );
  const arrived = Map.groupBy(fixture.receiver.requests, (request) =>
    [
      headerOf(request, 'x-service-delivery'),
      headerOf(request, 'webhook-id'),
      fixture.receiver.url + request.path,
    ].join(' '),
  );
  const lines = rows.map((row) => {
    const key = [row.delivery, row.event, row.url].join(' ');
    const received = (arrived.get(key) ?? []).map((request) => Number(headerOf(request, 'x-service-attempt')));
    arrived.delete(key);
    return { ...row, received };
  });
  return { lines, strangers: [...arrived.keys()] };
}

/** Errors of a ledger whose deliveries should all have succeeded. */
export function errorsOf({ lines, strangers }: Ledger): string[] {
  const errors = strangers.map((stranger) => `arrived without being accepted: ${stranger}`);
  for (const { delivery, status, scheduled, received, recorded } of lines) {
    if (status !== 'succeeded' || scheduled)
      errors.push(`${delivery} is ${status}${scheduled ? ' and scheduled' : ''}`);
    if (received.length === 0) errors.push(`${delivery} was lost`);
    if (new Set(received).size < received.length) errors.push(`${delivery} had an attempt twice: ${received.join()}`);
    if (recorded.some((n) => !received.includes(n))) errors.push(`${delivery} has a record of what was not sent`);
  }
  return errors;
}

/** Deliveries that arrived more than once. */
export function repeatedIn({ lines }: Ledger): string[] {
  return lines.filter(({ received }) => received.length > 1).map(({ delivery }) => delivery);
}
