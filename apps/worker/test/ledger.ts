import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';

/** One delivery as it was accepted, and what arrived of it. */
interface LedgerLine {
  readonly delivery: string;
  readonly event: string;
  readonly url: string;
  readonly status: string;
  /** Whether it has a row that says when it is tried. */
  readonly scheduled: boolean;
  /** Whether a worker holds it, or did when it died. */
  readonly leased: boolean;
  /** Numbers of the attempts that were recorded, in order. */
  readonly recorded: readonly number[];
  /** Numbers of the attempts that the receiver saw, in the order of their arrival. */
  readonly received: readonly number[];
}

export interface Ledger {
  readonly lines: readonly LedgerLine[];
  /** Requests that arrived and belong to no accepted delivery, or to another event or endpoint than they say. */
  readonly strangers: readonly string[];
}

/** Sets what was accepted beside what arrived, delivery by delivery. */
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

/** What is wrong with a ledger whose deliveries should all have succeeded: empty when nothing is lost or made up. */
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

/** The deliveries that arrived more than once. */
export function repeatedIn({ lines }: Ledger): string[] {
  return lines.filter(({ received }) => received.length > 1).map(({ delivery }) => delivery);
}
