import type { AnyEventType } from '@finhook/contracts';

/** Without `eventIds`, the row names all events of its transaction. */
interface PendingAudit {
  /** As returned by `auditValues`. */
  values: readonly unknown[];
  eventIds?: readonly string[] | undefined;
}

/** `body` is the exact text that is signed and sent. */
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

/** Audit rows and events that a transaction stores last (`storeChanges`). */
export interface PendingChanges {
  audits: PendingAudit[];
  events: PendingEvent[];
}

export interface AuditCollector {
  readonly pending: Pick<PendingChanges, 'audits'>;
}

export interface Collector {
  readonly pending: PendingChanges;
}
