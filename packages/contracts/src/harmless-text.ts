// Characters that can begin a formula in a spreadsheet (OWASP, CSV injection): = + - @, and every character whose NFKC
// form begins with one of them or with the minus sign.
const STARTS = String.raw`[=+\-@\u207A-\u207C\u208A-\u208C\u2212\u2A75\u2A76\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]`;
// A spreadsheet set to another separator splits cells there, even inside quotes.
const SEPARATORS = String.raw`[,;\|\t\n\v\f\r\u0085\u2028\u2029]`;
// Invisible characters may precede. Runs of them contain no separator, so that matching takes linear time.
/** The beginning of a formula (2), wherever a spreadsheet cuts the text, and what precedes it (1). */
export const FORMULA_START = new RegExp(
  String.raw`((?:^|${SEPARATORS})[[\p{Cc}\p{Cf}"\uFF02]--${SEPARATORS}]*)(${STARTS})`,
  'gv',
);
const LEADING_BREAK = /^[\t\n\r]/;

/** The text with an apostrophe before whatever a spreadsheet would run as a formula. */
export function harmlessText(text: string): string {
  const harmless = text.replace(FORMULA_START, "$1'$2");
  return LEADING_BREAK.test(harmless) ? `'${harmless}` : harmless;
}
