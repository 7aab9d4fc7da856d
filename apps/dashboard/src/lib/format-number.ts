/** Numbers as text in one form: thousands with commas, and `-` before what is negative. Exact amounts: `formatMoney`. */
const PERCENT_DIGITS = 1;

/** Making a format takes as long as formatting some hundred times. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = JSON.stringify(options);
  const known = formats.get(name);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', options);
  formats.set(name, format);
  return format;
}

/** `1,234`. */
export function formatCount(count: number | bigint): string {
  return formatDecimal(count, 0);
}

/** `1,234.5`, with at most so many digits after the point. */
export function formatDecimal(value: number | bigint, digits: number): string {
  return formatOf({ maximumFractionDigits: digits, signDisplay: 'negative' }).format(value);
}

/** `72.5 %`. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(PERCENT_DIGITS)} %`;
}

/** `+12 %`, a change in whole percent. */
export function formatChange(percent: number): string {
  return `${percent > 0 ? '+' : ''}${formatCount(percent)} %`;
}

/** `1.05M` with the currency's sign. Ticks have at most three digits, so three decimals print each exactly. */
export function scaleMoney(cents: number, currency: string, digits: number): string {
  return formatOf({
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 3,
  }).format(cents / 10 ** digits);
}

/** The sign of a currency: `$` of USD, `CA$` of CAD. */
export function currencySign(code: string): string | undefined {
  const parts = formatOf({ style: 'currency', currency: code }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value;
}
