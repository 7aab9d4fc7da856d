import type { FileFormat } from '../statement.ts';
import { rejectOther } from './other-formats.ts';

/** Characters that decide the format. */
const SIGNATURE = 4000;

/**
 * The format by the first characters: a text with no other's signature is CSV.
 *
 * @throws {BankFileError} for a text of a format that is not read
 */
export function detectFormat(text: string): FileFormat {
  const start = text.slice(0, SIGNATURE);
  rejectOther(start);
  if (/<OFX>|OFXHEADER/i.test(start)) return 'ofx';
  if (/^\s*</.test(start)) return 'camt.053';
  // Spaces of one line only: a search from every line over all empty ones after it would take quadratic time.
  if (/^\s*01,[^\n]*,/.test(start) && /^[^\S\r\n\u2028\u2029]*02,/m.test(start)) return 'bai2';
  return /^(?:\{.{0,200}\{4:)?:(?:20|25):/m.test(start) ? 'mt940' : 'csv';
}
