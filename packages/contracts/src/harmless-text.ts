// Characters that can begin a formula (OWASP, CSV injection): = + - @ −, and those whose NFKC form begins with one.
const STARTS = String.raw`[=+\-@\u207A-\u207C\u208A-\u208C\u2212\u2A75\u2A76\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]`;
// A spreadsheet with another separator splits cells there, even inside quotes.
const SEPARATORS = String.raw`[,;\|\t\n\v\f\r\u0085\u2028\u2029]`;
// Invisible characters may precede. Their runs contain no separator, so matching takes linear time.
/** The beginning of a formula (2) and the text before it (1). */
export const FORMULA_START = new RegExp(
  String.raw`((?:^|${SEPARATORS})[[\p{Cc}\p{Cf}"\uFF02]--${SEPARATORS}]*)(${STARTS})`,
  'gv',
);
const LEADING_BREAK = /^[\t\n\r]/;

/** Puts an apostrophe before formulas. */
export function harmlessText(text: string): string {
  const harmless = text.replace(FORMULA_START, "$1'$2");
  return LEADING_BREAK.test(harmless) ? `'${harmless}` : harmless;
}
