import { AnswerError, BankFileError, positionAt } from '../errors.ts';
import { MAX_BYTES } from '../limits.ts';
import type { Question } from '../questions.ts';
import type { Step } from '../step.ts';
import { type Charset, charsetOf } from './charsets.ts';
import { askEncoding, hasUndefined, isWestern } from './guess-charset.ts';

/** Longer lines don't occur in bank files, except in XML and OFX. */
const MAX_LINE = 1024 * 1024;

const HEADER = 1000;

export interface Decoded {
  text: string;
  encoding: string;
  /** Asked if the charset is uncertain. */
  questions: Question[];
}

/**
 * Tries the given encoding, UTF-8 and UTF-16, the declared one, then Windows-1252 if that gives Western European text;
 * otherwise asks. @throws {AnswerError} for an unknown encoding
 */
export function decodeFile(bytes: Uint8Array, given?: string): Decoded {
  if (bytes.length === 0) throw new BankFileError('the file is empty');
  if (bytes.length > MAX_BYTES) {
    throw new BankFileError(`the file has ${bytes.length} bytes; at most ${MAX_BYTES} are read. Split it`);
  }
  const { text, encoding, questions } = given === undefined ? decodeAsFound(bytes) : decodeAs(bytes, given);
  const nul = text.indexOf('\0');
  if (nul !== -1) throw new BankFileError('a NUL byte: this is not a text file', positionAt(text, nul));
  return { text: text.toWellFormed(), encoding, questions };
}

function decodeAs(bytes: Uint8Array, name: string, questions: Question[] = []): Decoded {
  const charset = charsetOf(name);
  if (charset === undefined) throw new AnswerError(`the encoding ${name} is unknown`);
  return { text: charset.decode(bytes), encoding: charset.name, questions };
}

function decodeAsFound(bytes: Uint8Array): Decoded {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return decodeAs(bytes, 'utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return decodeAs(bytes, 'utf-16be');
  const declared = declaredCharset(bytes);
  const other = declared?.name === 'utf-8' ? undefined : declared;
  // Text is never valid UTF-8 by chance, so this outranks the header, except for ASCII bytes, which ISO-2022-JP uses
  // for its letters.
  const isDeclared = other !== undefined && bytes.every((byte) => byte < 0x80);
  const utf8 = isDeclared ? undefined : decodeUtf8(bytes);
  if (utf8 !== undefined) return { text: utf8, encoding: 'utf-8', questions: [] };
  if (other !== undefined) {
    const text = other.decode(bytes);
    if (!hasUndefined(text)) return { text, encoding: other.name, questions: [] };
  }
  const western = decodeAs(bytes, 'windows-1252');
  if (declared === undefined && isWestern(western.text)) return western;
  const question = askEncoding(bytes);
  return decodeAs(bytes, question.choices[0]?.value ?? 'windows-1252', [question]);
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** From the byte order mark, or the declaration of XML or OFX. */
function declaredCharset(bytes: Uint8Array): Charset | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEADER));
  if (start.startsWith('ï»¿')) return charsetOf('utf-8');
  const xml = /^\s*<\?xml[^>]*?encoding=["']([\w-]+)["']/.exec(start)?.[1];
  if (xml !== undefined) return isAsciiName(xml) || /^utf-?16$/i.test(xml) ? undefined : charsetOf(xml);
  const header = /^\s*OFXHEADER:[^<]*/.exec(start)?.[0] ?? '';
  const encoding = /ENCODING:\s*([\w-]+)/.exec(header)?.[1] ?? '';
  const charset = /CHARSET:\s*([\w-]+)/.exec(header)?.[1] ?? '';
  if (/^(?:utf-?8|unicode)$/i.test(encoding) || /^csunicode$/i.test(charset)) return charsetOf('utf-8');
  return charset === '' || /^none$/i.test(charset) || isAsciiName(charset) ? undefined : charsetOf(charset);
}

/** ASCII doesn't define the bytes beyond it. */
function isAsciiName(name: string): boolean {
  return /^(?:us-?)?ascii$/i.test(name);
}

/** Throws for a line longer than `MAX_LINE`, in which a search for the next field would take too long. */
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
