import { isDeepStrictEqual } from 'node:util';
import type { AnyEventType } from '@finhook/contracts';
import type { Context } from '../verbs/context.ts';
import { type AuditCollector, audit, auditColumns, auditTypes } from './audit.ts';
import { type Collector, emit, type NewEvent } from './emit.ts';
import { positionSql } from './sequence-sql.ts';

export interface Changes {
  changed: string[];
  previous: Record<string, unknown>;
}

/** Compares records field by field as JSON, except the fields in `ignore`. */
export function changesBetween(before: object, after: object, ignore: readonly string[] = ['updated_at']): Changes {
  const old = new Map(Object.entries(before));
  const changed = Object.entries(after)
    .filter(([field, value]) => !ignore.includes(field) && JSON.stringify(value) !== JSON.stringify(old.get(field)))
    .map(([field]) => field);
  return { changed, previous: Object.fromEntries(changed.map((field) => [field, old.get(field)])) };
}

/** Compares JSON as jsonb stores it, with its own order of keys and 0 for -0. */
export function isSameJson(sent: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(sent)), stored);
}

/** Returns `stored` if `next` is the same JSON, so that it is no change. */
export function keepSame<T>(stored: T, next: T): T {
  return isSameJson(next, stored) ? stored : next;
}

type Changed = Readonly<Record<string, unknown>> & {
  readonly id?: string;
  readonly company_id?: string | null;
};

interface Change {
  action: string;
  before?: Changed | undefined;
  after?: Changed | undefined;
  /** Default: the record's `id`. */
  resourceId?: string;
  /** Default: the record's `company_id`. Null for none. */
  companyId?: string | null | undefined;
}

interface ChangeWithEvent<T extends AnyEventType> extends Change {
  /** Its company is that of the change. */
  event?: Omit<NewEvent<T>, 'companyId'> | undefined;
}

/**
 * Adds the audit row of a change, and its event. Call it only if something changed; a field outside the record, like a
 * secret, counts.
 */
export function recordChange<T extends AnyEventType>(tx: Collector, context: Context, change: ChangeWithEvent<T>): void;
export function recordChange(tx: AuditCollector, context: Context, change: Change): void;
export function recordChange<T extends AnyEventType>(
  { pending }: AuditCollector | Collector,
  context: Context,
  change: ChangeWithEvent<T>,
): void {
  const { action, before, after, event, ...given } = change;
  const { id, company_id } = after ?? before ?? {};
  const companyId = (given.companyId === undefined ? company_id : given.companyId) ?? undefined;
  const resourceId = given.resourceId ?? id;
  if (resourceId === undefined) throw new Error(`The change ${action} names no record.`);
  audit({ pending }, context, { action, ...(companyId === undefined ? {} : { companyId }), resourceId, before, after });
  if (!event) return;
  if (!('events' in pending)) throw new Error(`The transaction of ${action} records no events.`);
  emit({ pending }, context, { ...event, ...(companyId === undefined ? {} : { companyId }) });
}

/** Columns of a set-based statement: JSON rows with an audit row (`a0`, `a1` …) as text. */
const columns = (toSql: (name: string, type: string) => string): string =>
  auditTypes.map((type, i) => toSql(`a${i}`, type)).join(', ');

export const auditRowColumns = columns((name) => `${name} text`);

/** Stores the audit rows of `from`, with the ids of their events. Needs the CTE `sq` (`takePositions`) before it. */
export const insertAuditRows = (from: string, eventIds: string): string =>
  `INSERT INTO audit_log (${auditColumns}, event_ids, position)
   SELECT ${columns((name, type) => `${name}::${type}`)}, ${eventIds}, ${positionSql('audit_position', 'r.a1', 'r.a0')}
   FROM ${from} r JOIN sq ON sq.account_id = r.a1`;

export function auditRowValues(auditRow: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(auditRow.map((value, i) => [`a${i}`, value]));
}
