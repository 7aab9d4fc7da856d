import type { FileFormat } from '../statement.ts';
import { rejectOther } from './other-formats.ts';

/** Characters inspected. */
const SIGNATURE = 4000;

/** Detects the format by the first characters; the default is CSV. @throws {BankFileError} for an unsupported format */
export function detectFormat(text: string): FileFormat {
  const start = text.slice(0, SIGNATURE);
  rejectOther(start);
  if (/<OFX>|OFXHEADER/i.test(start)) return 'ofx';
  if (/^\s*</.test(start)) return 'camt.053';
  // Spaces of one line only: otherwise empty lines would take quadratic time.
  if (/^\s*01,[^\n]*,/.test(start) && /^[^\S\r\n\u2028\u2029]*02,/m.test(start)) return 'bai2';
  return /^(?:\{.{0,200}\{4:)?:(?:20|25):/m.test(start) ? 'mt940' : 'csv';
}
