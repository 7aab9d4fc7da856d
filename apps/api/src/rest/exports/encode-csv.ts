// What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection): = + - @, and every character that Unicode
// folds (NFKC) into one of them, into the minus sign, or into a text that begins so.
const STARTS = String.raw`[=+\-@\u207A-\u207C\u208A-\u208C\u2212\u2A75\u2A76\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]`;
// A spreadsheet that is told another separator cuts a text there, also inside of quotes.
const SEPARATORS = String.raw`[,;\|\t\n\v\f\r\u0085\u2028\u2029]`;
// What is invisible may stand between; runs of it hold no separator, so that each is read once and effort follows the length.
const FORMULA = new RegExp(String.raw`((?:^|${SEPARATORS})[[\p{Cc}\p{Cf}"\uFF02]--${SEPARATORS}]*)(${STARTS})`, 'gv');
const LEADING_BREAK = /^[\t\n\r]/;
const JSON_TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * One cell after RFC 4180. Numbers and booleans stand as they are and texts in quotes; what a spreadsheet would run gets
 * a leading apostrophe; objects and arrays are their JSON. `null` is nothing, and an empty text is `""`.
 */
function encodeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? harmlessText(value) : harmlessJson(value);
  return `"${text.replaceAll('"', '""')}"`;
}

function harmlessText(text: string): string {
  const harmless = text.replace(FORMULA, "$1'$2");
  return LEADING_BREAK.test(harmless) ? `'${harmless}` : harmless;
}

/** The same value for a JSON parser: in its texts, what would begin a formula is escaped. */
function harmlessJson(value: unknown): string {
  const escape = (_: string, before: string, start: string): string =>
    `${before}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(JSON_TEXT, (text) => `"${text.slice(1, -1).replace(FORMULA, escape)}"`);
}

/** The header row: the names of the columns, which are fields of records. */
export function encodeCsvHeader(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`;
}

/** One row for each record: its values under `columns`, and a line end after each row. */
export function encodeCsvRows(columns: readonly string[], records: readonly object[]): string {
  let text = '';
  for (const record of records) {
    text += `${columns.map((column) => encodeCell(Reflect.get(record, column))).join(',')}\r\n`;
  }
  return text;
}
