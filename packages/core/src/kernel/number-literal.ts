const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/** Any double keeps this many digits (IEEE 754), as long as its exponent has no more than two. */
const EXACT_DIGITS = 15;
const EXACT_EXPONENT_DIGITS = 2;

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The index behind a number literal that has a digit at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === POINT || isExponent(code) || code === PLUS || code === MINUS;
}

function isExponent(code: number): boolean {
  return code === LOWER_E || code === UPPER_E;
}

/** Whether a double might not keep the literal between two indexes. False is certain. */
export function mayBeInexact(text: string, start: number, end: number): boolean {
  let digits = 0;
  let most = EXACT_DIGITS;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isExponent(code)) {
      digits = 0;
      most = EXACT_EXPONENT_DIGITS;
    } else if (isDigit(code) && ++digits > most) return true;
  }
  return false;
}
