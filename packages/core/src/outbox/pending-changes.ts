import type { AnyEventType } from '@finhook/contracts';

/** An audit row and the events that it lists; without `eventIds` those are all events of its unit of work. */
interface PendingAudit {
  /** Those of `auditValues`. */
  values: readonly unknown[];
  eventIds?: readonly string[] | undefined;
}

/** An event ready to be stored: `body` is the exact text that is signed and sent. */
export interface PreparedEvent {
  id: string;
  account_id: string;
  company_id: string | null;
  type: AnyEventType;
  created_at: string;
  body: string;
}

interface PendingEvent extends PreparedEvent {
  internal: boolean;
  traceparent: string | undefined;
}

/** Audit rows and events of one unit of work, which its last statement stores (`storeChanges`). */
export interface PendingChanges {
  audits: PendingAudit[];
  events: PendingEvent[];
}

/** The part of a unit of work that `audit` adds to. */
export interface AuditCollector {
  readonly pending: Pick<PendingChanges, 'audits'>;
}

/** The part of a unit of work that `audit` and `emit` add to. */
export interface Collector {
  readonly pending: PendingChanges;
}
