import type { FileFormat } from '../statement.ts';
import { readBai2 } from './bai2.ts';
import { readCamt } from './camt.ts';
import { readCsv } from './csv/read-csv.ts';
import { readMt940 } from './mt940.ts';
import { readOfx } from './ofx.ts';
import { rejectOther } from './other-formats.ts';
import type { Reader } from './reader.ts';

export const readers: Readonly<Record<FileFormat, Reader>> = {
  csv: readCsv,
  ofx: readOfx,
  'camt.053': readCamt,
  mt940: readMt940,
  bai2: readBai2,
};

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
