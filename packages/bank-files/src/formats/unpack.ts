import type { Step } from '../step.ts';

/** A file, or one of those in an archive. */
export interface FilePart {
  /** Name in the archive; empty for a file that is none. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The files to be read: the entries of an archive, or the file itself.
 *
 * @throws {BankFileError} for an archive that can't be read
 */
export async function unpackFile(bytes: Uint8Array<ArrayBuffer>, step: Step): Promise<FilePart[]> {
  step(1);
  return [{ name: '', bytes }];
}
