import { BankFileError, quote } from '../errors.ts';
import { MAX_BYTES } from '../limits.ts';
import type { FileProblem } from '../statement.ts';
import type { Step } from '../step.ts';
import { isPdf, rejectBinary } from './other-formats.ts';
import { entriesOf, isZip, readEntry, type ZipEntry } from './zip.ts';

const MAX_ENTRIES = 100;

export interface FilePart {
  /** Name in the archive; empty otherwise. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Unpacked {
  parts: FilePart[];
  problems: FileProblem[];
}

/** Skips PDF documents beside other files with a note. @throws {BankFileError} for an unreadable archive or no text */
export async function unpackFile(bytes: Uint8Array<ArrayBuffer>, step: Step): Promise<Unpacked> {
  if (!isZip(bytes)) {
    rejectBinary(bytes);
    return { parts: [{ name: '', bytes }], problems: [] };
  }
  const all = entriesOf(bytes, step);
  rejectDocument(all);
  const entries = all.filter(({ name }) => !isIgnored(name));
  if (entries.length === 0) throw new BankFileError('the ZIP archive has no file');
  if (entries.length > MAX_ENTRIES) {
    throw new BankFileError(`the ZIP archive has ${entries.length} files; at most ${MAX_ENTRIES} are read. Split it`);
  }
  const parts: FilePart[] = [];
  const documents: FilePart[] = [];
  let left = MAX_BYTES;
  for (const entry of entries) {
    const unpacked = await readEntry(bytes, entry, left, step);
    left -= unpacked.length;
    (isPdf(unpacked) ? documents : parts).push({ name: entry.name, bytes: unpacked });
  }
  for (const { name, bytes: content } of parts.length === 0 ? documents : parts) assertReadable(name, content);
  return { parts, problems: documents.map(({ name }) => noteOf(name)) };
}

function noteOf(name: string): FileProblem {
  return { file: name, code: 'note', message: 'the PDF document is left out' };
}

function assertReadable(name: string, bytes: Uint8Array): void {
  if (isZip(bytes)) {
    throw new BankFileError(`the ZIP archive has another archive in it, ${quote(name)}: unpack it first`);
  }
  try {
    rejectBinary(bytes);
  } catch (error) {
    if (error instanceof BankFileError) throw new BankFileError(error.reason, { file: name });
    throw error;
  }
}

/** Folders, and metadata of operating systems. */
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
