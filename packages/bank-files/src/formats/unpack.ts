import { BankFileError, quote } from '../errors.ts';
import { MAX_BYTES } from '../limits.ts';
import type { Step } from '../step.ts';
import { rejectBinary } from './other-formats.ts';
import { entriesOf, isZip, readEntry, type ZipEntry } from './zip.ts';

/** Files of an archive that are read. */
const MAX_ENTRIES = 100;

/** A file, or one of those in an archive. */
export interface FilePart {
  /** Name in the archive; empty for a file that is none. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The files to be read: the entries of a ZIP archive, or the file itself.
 *
 * @throws {BankFileError} for an archive that can't be read, and for a file that is no text
 */
export async function unpackFile(bytes: Uint8Array<ArrayBuffer>, step: Step): Promise<FilePart[]> {
  if (!isZip(bytes)) {
    rejectBinary(bytes);
    return [{ name: '', bytes }];
  }
  const all = entriesOf(bytes, step);
  rejectDocument(all);
  const entries = all.filter(({ name }) => !isIgnored(name));
  if (entries.length === 0) throw new BankFileError('the ZIP archive has no file');
  if (entries.length > MAX_ENTRIES) {
    throw new BankFileError(`the ZIP archive has ${entries.length} files; at most ${MAX_ENTRIES} are read. Split it`);
  }
  const parts: FilePart[] = [];
  let left = MAX_BYTES;
  for (const entry of entries) {
    const unpacked = await readEntry(bytes, entry, left, step);
    left -= unpacked.length;
    parts.push({ name: entry.name, bytes: readableOf(entry.name, unpacked) });
  }
  return parts;
}

function readableOf(name: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (isZip(bytes)) {
    throw new BankFileError(`the ZIP archive has another archive in it, ${quote(name)}: unpack it first`);
  }
  try {
    rejectBinary(bytes);
  } catch (error) {
    if (error instanceof BankFileError) throw new BankFileError(`${quote(name)} in the ZIP archive: ${error.reason}`);
    throw error;
  }
  return bytes;
}

/** Folders, and what operating systems put into archives. */
function isIgnored(name: string): boolean {
  return /\/$|^__MACOSX\/|(?:^|\/)(?:\.[^/]*|thumbs\.db|desktop\.ini)$/i.test(name);
}

/** Office documents are ZIP archives too. */
function rejectDocument(entries: readonly ZipEntry[]): void {
  const names = new Set(entries.map(({ name }) => name));
  const what = names.has('xl/workbook.xml')
    ? 'an XLSX workbook'
    : names.has('[Content_Types].xml') || names.has('mimetype')
      ? 'an office document'
      : undefined;
  if (what === undefined) return;
  throw new BankFileError(
    `the file is ${what}, which is not read: save its sheet as CSV, or download a CSV file instead`,
  );
}
