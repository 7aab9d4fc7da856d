/** What a spreadsheet would take for a formula when a text begins with it (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One cell after RFC 4180. Numbers and booleans stand as they are; a text that a spreadsheet would run gets a leading
 * apostrophe; objects and arrays are their JSON. `null` is nothing, and an empty text is `""`.
 */
function encodeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return '""';
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The header row: the names of the columns. */
export function encodeCsvHeader(columns: readonly string[]): string {
  return `${columns.map(encodeCell).join(',')}\r\n`;
}

/** One row for each record: its values under `columns`, and a line end after each row. */
export function encodeCsvRows(columns: readonly string[], records: readonly object[]): string {
  let text = '';
  for (const record of records) {
    text += `${columns.map((column) => encodeCell(Reflect.get(record, column))).join(',')}\r\n`;
  }
  return text;
}
