const SURE_DIGITS = 15;
const MOST_DIGITS = 100;

interface NumberError {
  code: 'out_of_range' | 'not_an_integer';
  message: string;
}

/** The error of a JSON number literal that is not finite, or whose digits a double changes at the written precision. */
export function numberError(literal: string): NumberError | undefined {
  const value = Number(literal);
  const shown = literal.slice(0, 64);
  if (!Number.isFinite(value)) {
    return { code: 'out_of_range', message: `must be a number a double can hold; got ${shown}` };
  }
  const sent = decompose(literal);
  if (isKept(sent, value)) return undefined;
  const code = sent.exponent >= 0 ? 'out_of_range' : 'not_an_integer';
  const message = `has more digits than can be kept (${SURE_DIGITS} always can); got ${shown}`;
  return { code, message };
}

/** `digits × 10^exponent` without sign; zero has no digits. */
interface Decimal {
  digits: string;
  exponent: number;
}

function decompose(literal: string): Decimal {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  // A pattern for trailing zeros takes quadratic time.
  let end = all.length;
  while (all.charAt(end - 1) === '0') end--;
  let start = 0;
  while (start < end && all.charAt(start) === '0') start++;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

/** On ties `toPrecision` rounds up, but the shortest notation, which most programs write, rounds to even. */
function isKept(sent: Decimal, value: number): boolean {
  const count = sent.digits.length;
  if (count === 0 || count > MOST_DIGITS) return count === 0;
  return [value.toPrecision(count), String(value)].some((told) => isSame(decompose(told), sent));
}

function isSame(a: Decimal, b: Decimal): boolean {
  return a.digits === b.digits && a.exponent === b.exponent;
}
