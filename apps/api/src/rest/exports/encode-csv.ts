// Characters that can begin a formula in a spreadsheet (OWASP, CSV injection): = + - @, and every character whose NFKC
// form begins with one of them or with the minus sign.
const STARTS = String.raw`[=+\-@\u207A-\u207C\u208A-\u208C\u2212\u2A75\u2A76\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]`;
// A spreadsheet set to another separator splits cells there, even inside quotes.
const SEPARATORS = String.raw`[,;\|\t\n\v\f\r\u0085\u2028\u2029]`;
// Invisible characters may precede. Runs of them contain no separator, so that matching takes linear time.
const FORMULA = new RegExp(String.raw`((?:^|${SEPARATORS})[[\p{Cc}\p{Cf}"\uFF02]--${SEPARATORS}]*)(${STARTS})`, 'gv');
const LEADING_BREAK = /^[\t\n\r]/;
const JSON_TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * One cell after RFC 4180. Texts are quoted, and formulas get a leading apostrophe; objects and arrays are JSON. `null`
 * is an empty cell, an empty text is `""`.
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

/** The same JSON value, with characters that would begin a formula escaped. */
function harmlessJson(value: unknown): string {
  const escape = (_: string, before: string, start: string): string =>
    `${before}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(JSON_TEXT, (text) => `"${text.slice(1, -1).replace(FORMULA, escape)}"`);
}

export function encodeCsvHeader(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`;
}

export function encodeCsvRows(columns: readonly string[], records: readonly object[]): string {
  let text = '';
  for (const record of records) {
    text += `${columns.map((column) => encodeCell(Reflect.get(record, column))).join(',')}\r\n`;
  }
  return text;
}
