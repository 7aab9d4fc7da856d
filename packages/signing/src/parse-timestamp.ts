/**
 * Reads unix seconds strictly: digits only, no sign, no leading zero, no exponent, at most 15 digits, so that the text
 * and the number are the same thing; undefined otherwise.
 */
export function parseTimestamp(text: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;
}
