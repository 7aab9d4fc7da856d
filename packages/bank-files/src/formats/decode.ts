import { BankFileError, positionAt } from '../errors.ts';
import { MAX_BYTES } from '../limits.ts';
import type { Question } from '../questions.ts';
import type { Step } from '../step.ts';

/** A longer line is no line of a bank file. XML and OFX have none. */
const MAX_LINE = 1024 * 1024;

/** The text of a file. */
export interface Decoded {
  text: string;
  /** Name of its charset. */
  encoding: string;
  /** Asked if the charset can't be known. */
  questions: Question[];
}

/**
 * Decodes a file: as it is told, or by its byte order mark, then its XML declaration, then as UTF-8, and otherwise as
 * Windows-1252, which contains Latin-1. Headers of OFX files are not asked: they often name another charset than the
 * file has.
 */
export function decodeFile(bytes: Uint8Array, given?: string): Decoded {
  if (bytes.length === 0) throw new BankFileError('the file is empty');
  if (bytes.length > MAX_BYTES) {
    throw new BankFileError(`the file has ${bytes.length} bytes; at most ${MAX_BYTES} are read. Split it`);
  }
  const { encoding, decode } = decoderOf(given ?? encodingOf(bytes));
  const text = decode(bytes);
  const nul = text.indexOf('\0');
  if (nul !== -1) throw new BankFileError('a NUL byte: this is not a text file', positionAt(text, nul));
  return { text: text.toWellFormed(), encoding, questions: [] };
}

function decoderOf(name: string) {
  try {
    const decoder = new TextDecoder(name);
    return { encoding: decoder.encoding, decode: (bytes: Uint8Array): string => decoder.decode(bytes) };
  } catch {
    throw new BankFileError(`the encoding ${name} is unknown`);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const declared = declaredEncoding(bytes);
  if (declared !== undefined) return declared;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 200));
  const name = /^(?:ï»¿)?\s*<\?xml[^>]*?encoding=["']([\w-]+)["']/.exec(start)?.[1];
  // What declares UTF-8 and is not gets the guess.
  if (name === undefined || /^utf-?(8|16)$/i.test(name)) return undefined;
  return name;
}

/** Rejects a text with an overlong line, in which a search for the next field could take very long. */
export function assertLines(text: string, step: Step): void {
  const ends = /[\r\n]/g;
  for (let start = 0; start < text.length; ) {
    ends.lastIndex = start;
    const end = ends.exec(text)?.index ?? text.length;
    step(end - start + 1);
    if (end - start > MAX_LINE) {
      const message = `the line has ${end - start} characters; at most ${MAX_LINE} are read`;
      throw new BankFileError(message, { ...positionAt(text, start), column: MAX_LINE + 1 });
    }
    start = end + 1;
  }
}
