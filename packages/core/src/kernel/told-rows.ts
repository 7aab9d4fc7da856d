import { auditColumns, auditTypes } from './audit.ts';
import { eventTypes, type PreparedEvent } from './emit.ts';

/**
 * SQL and values for statements that store many records at once, each with an audit row and an event of its own. The
 * rows come as JSON; the values of both are text in it, and are cast where they are stored.
 */
const columns = (prefix: string, types: readonly string[], toSql: (name: string, type: string) => string): string =>
  types.map((type, i) => toSql(`${prefix}${i}`, type)).join(', ');
const asText = (name: string): string => `${name} text`;
const cast = (name: string, type: string): string => `${name}::${type}`;

/** The columns of `toldValues`, for the column list of json_to_recordset. */
export const toldColumns = `${columns('a', auditTypes, asText)}, ${columns('e', eventTypes, asText)}`;

/** SQL that stores the audit rows of the rows in `from`; each names its event, as they are all of one transaction. */
export const insertAuditRows = (from: string): string =>
  `INSERT INTO audit_log (${auditColumns}, event_id) SELECT ${columns('a', auditTypes, cast)}, e0 FROM ${from}`;

/** The events of the rows in `from`, as a source for `emitCtes`; `more` are further expressions to select. */
export const eventRows = (from: string, more = ''): string =>
  `SELECT ${columns('e', eventTypes, cast)}${more} FROM ${from}`;

/** One row's part in `toldColumns`: the values of `auditValues` and its event. */
export function toldValues(audit: readonly unknown[], event: PreparedEvent): Record<string, unknown> {
  const named = (prefix: string, values: readonly unknown[]) =>
    values.map((value, i) => [`${prefix}${i}`, value] as const);
  return Object.fromEntries([...named('a', audit), ...named('e', event.values)]);
}
