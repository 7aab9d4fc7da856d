import { BankFileError } from '../errors.ts';

const pdfStart = [0x25, 0x50, 0x44, 0x46];

/** Other files that people export, by their first bytes. */
const binary: readonly (readonly [start: readonly number[], what: string])[] = [
  [pdfStart, 'a PDF document, which is not read: download the statement as CAMT.053, MT940, OFX, BAI2 or CSV instead'],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'an XLS workbook, which is not read: save its sheet as CSV, or download a CSV file instead',
  ],
  [[0x1f, 0x8b], 'a gzip archive, which is not read: unpack it first'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive, which is not read: unpack it first, or make a ZIP archive of it'],
  [[0x52, 0x61, 0x72, 0x21], 'a RAR archive, which is not read: unpack it first, or make a ZIP archive of it'],
];

export function isPdf(bytes: Uint8Array): boolean {
  return pdfStart.every((byte, i) => bytes[i] === byte);
}

/** @throws {BankFileError} that names the format of a PDF document, a workbook or an unsupported archive */
export function rejectBinary(bytes: Uint8Array): void {
  const found = binary.find(([start]) => start.every((byte, i) => bytes[i] === byte));
  if (found !== undefined) throw new BankFileError(`the file is ${found[1]}`);
}

const texts: readonly (readonly [start: RegExp, what: string])[] = [
  [
    /^\s*(?:<!--[^>]*>\s*)?<(?:!doctype\s+html|html)\b/i,
    "an HTML page, not a bank file: the bank's site may have asked to sign in. Sign in and download the file again",
  ],
  [/^\s*[[{]\s*["[{\]}]/, 'JSON, which is not read: download CAMT.053, MT940, OFX, BAI2 or CSV instead'],
  [/^\s*!(?:Type|Account|Option|Clear)\b/i, 'a QIF file, which is not read: download OFX, QFX or CSV instead'],
];

/** @throws {BankFileError} that names the format: HTML, JSON, QIF or MT942 */
export function rejectOther(start: string): void {
  const found = texts.find(([pattern]) => pattern.test(start));
  if (found !== undefined) throw new BankFileError(`the file is ${found[1]}`);
  if (/\{2:[IO]942|^:34F:/m.test(start) && !/^:60[FM]:/m.test(start)) {
    throw new BankFileError(
      'the file is an MT942 interim report, which is not read: its entries are not final. Download MT940 or CAMT.053 instead',
    );
  }
}
