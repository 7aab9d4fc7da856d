import { setImmediate } from 'node:timers/promises';
import { type FieldError, numberError } from '@finhook/contracts';
import { DomainError } from '../verbs/domain-error.ts';
import { pointerOf } from './field-errors.ts';

const MAX_DEPTH = 32;
/** Names in one object. Beyond a thousand, an engine turns it into a table, and each copy takes milliseconds. */
const MAX_NAMES = 200;
const MAX_FREE_NAMES = 1_000;
/** The fields that hold free JSON, whose own limits are checked later. A test compares them with the catalogue. */
export const freeFields: ReadonlySet<string> = new Set([
  'checkpoint',
  'edited_payload',
  'headers',
  'input',
  'metadata',
  'output',
  'payload',
  'rates',
  'totals',
]);
const SHORT_TEXT = 32 * 1024;
const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

interface Scan {
  keys: number;
  depth: number;
  suspicious: boolean;
  /** The first object with too many names: the index of its brace, and how many it may have. */
  wide?: { at: number; limit: number };
}

export interface ParsedJson {
  value: unknown;
  /** Number literals that a double cannot represent: rejected, because silent rounding of money is worse. */
  inexact: FieldError[];
}

/**
 * Parses a short text. Throws `malformed_json`, `duplicate_json_key` (RFC 8259 leaves both to the receiver; a repeated
 * key in money data is a mistake), `malformed_json` beyond 32 levels of nesting, or `body_too_large` for an object with more
 * than 200 names, in free JSON 1 000.
 */
export function parseJson(text: string): ParsedJson {
  const reading = readJson(text);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

/**
 * `parseJson` that yields to the event loop while it reads a long text. Rejects with the reason of an aborted signal.
 * `anyWidth` is for texts of a party that the operator has chosen.
 */
export async function parseLongJson(
  text: string,
  { signal, anyWidth = false }: { signal?: AbortSignal; anyWidth?: boolean } = {},
): Promise<ParsedJson> {
  const reading = readJson(text, anyWidth);
  let step = reading.next();
  while (!step.done) {
    await setImmediate(undefined, { signal });
    step = reading.next();
  }
  return step.value;
}

function* readJson(text: string, anyWidth = false): Generator<undefined, ParsedJson> {
  // Before parsing, so that the parser does not build a value that is rejected for its depth.
  const scan = scanJson(text, anyWidth);
  if (scan.depth > MAX_DEPTH) {
    throw new DomainError('malformed_json', { detail: `The body is nested deeper than ${MAX_DEPTH} levels.` });
  }
  if (scan.wide) throw tooWide(scan.wide);
  if (text.length > SHORT_TEXT) yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed_json', { detail: `The body is not valid JSON: ${syntaxErrorOf(error)}.` });
  }
  const repeated = scan.keys !== countKeys(value);
  if (!repeated && !scan.suspicious) return { value, inexact: [] };
  if (text.length > SHORT_TEXT) yield;
  // The slow walk, which tracks pointers, runs only when the fast scan found something.
  const { duplicateKey, inexactNumbers } = yield* locateJsonErrors(text);
  if (duplicateKey !== undefined) {
    throw new DomainError('duplicate_json_key', {
      detail: `The key at ${duplicateKey} appears twice in the same object. Send each key once.`,
      extra: { pointer: duplicateKey },
    });
  }
  return { value, inexact: inexactNumbers };
}

function syntaxErrorOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^(?:Unexpected token '.+?'|[^"]+$)/su.exec(message)?.[0] ?? 'it holds no value';
}

function tooWide({ at, limit }: NonNullable<Scan['wide']>): DomainError {
  return new DomainError('body_too_large', {
    detail: `The object at character ${at + 1} of the JSON has more than ${limit} names. Send fewer, or split the request.`,
    extra: { limit_names: limit },
  });
}

/** Stops at the first level that is too deep and at the first object that is too wide. */
function scanJson(text: string, anyWidth: boolean): Scan {
  const scan: Scan = { keys: 0, depth: 0, suspicious: false };
  const openings: number[] = [];
  const names: number[] = [];
  let depth = 0;
  /** The level of the free JSON that the scan is in; 0 outside. */
  let free = 0;
  let string = 0;
  /** Where the name before a colon begins, until its value does. */
  let name = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      const end = endOfNumber(text, i);
      if (!scan.suspicious) scan.suspicious = mayBeInexact(text, i, end);
      i = end - 1;
    } else if (code === QUOTE) {
      string = i;
      name = -1;
      i = endOfString(text, i);
    } else if (code === COLON) {
      scan.keys++;
      name = string;
      const count = (names[depth] ?? 0) + 1;
      names[depth] = count;
      const limit = free === 0 ? MAX_NAMES : MAX_FREE_NAMES;
      if (count > limit && !anyWidth) return { ...scan, wide: { at: openings[depth] ?? 0, limit } };
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > scan.depth) scan.depth = depth;
      names[depth] = 0;
      openings[depth] = i;
      if (free === 0 && name !== -1 && isFreeField(text, name)) free = depth;
      name = -1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (free === depth) free = 0;
      depth--;
    }
    if (depth > MAX_DEPTH) break;
  }
  return scan;
}

function isFreeField(text: string, start: number): boolean {
  return freeFields.has(text.slice(start + 1, endOfString(text, start)));
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) count += countKeys(item);
    return count;
  }
  const members = Object.values(value);
  count = members.length;
  for (const member of members) if (typeof member === 'object' && member !== null) count += countKeys(member);
  return count;
}

export interface JsonErrors {
  duplicateKey?: string;
  inexactNumbers: FieldError[];
}

/**
 * Ten in each row of a full batch. More than a response shows, because one in a stored field may follow many in ignored
 * fields.
 */
const MAX_INEXACT = 5_000;

const tooManyInexact: FieldError = {
  pointer: '',
  code: 'out_of_range',
  message: `has more than ${MAX_INEXACT} numbers that cannot be kept exactly`,
};

const CHARACTERS_AT_ONCE = 32 * 1024;

interface Frame {
  keys: Set<string> | undefined;
  at: string | number;
}

/**
 * Walks a well-formed JSON text up to the first repeated key, and reports numbers that a double cannot represent: at
 * most `MAX_INEXACT`, preceded by an error of the whole body when there are more. Yields every few milliseconds.
 */
export function* locateJsonErrors(text: string): Generator<undefined, JsonErrors> {
  const inexactNumbers: FieldError[] = [];
  const stack: Frame[] = [];
  let expectsKey = false;
  let pause = CHARACTERS_AT_ONCE;
  for (let i = 0; i < text.length; i++) {
    if (i >= pause) {
      yield;
      pause = i + CHARACTERS_AT_ONCE;
    }
    const top = stack.at(-1);
    const character = text.charAt(i);
    if (character === '"') {
      const end = endOfString(text, i);
      if (expectsKey && top?.keys) {
        const key = String(JSON.parse(text.slice(i, end + 1)));
        top.at = key;
        if (top.keys.has(key)) return { duplicateKey: pointerAt(stack), inexactNumbers };
        top.keys.add(key);
        expectsKey = false;
      }
      i = end;
    } else if (character === '{') {
      stack.push({ keys: new Set(), at: '' });
      expectsKey = true;
    } else if (character === '[') {
      stack.push({ keys: undefined, at: 0 });
      expectsKey = false;
    } else if (character === '}' || character === ']') {
      stack.pop();
      expectsKey = false;
    } else if (character === ',' && top) {
      if (typeof top.at === 'number') top.at++;
      expectsKey = top.keys !== undefined;
    } else if (/[-\d]/.test(character)) {
      const end = endOfNumber(text, i);
      const error = mayBeInexact(text, i, end) ? numberError(text.slice(i, end)) : undefined;
      if (error && inexactNumbers.length === MAX_INEXACT)
        return { inexactNumbers: [tooManyInexact, ...inexactNumbers] };
      if (error) inexactNumbers.push({ pointer: pointerAt(stack), ...error });
      i = end - 1;
    }
  }
  return { inexactNumbers };
}

function pointerAt(stack: readonly Frame[]): string {
  return pointerOf(stack.map(({ at }) => at));
}

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/** Any double keeps this many digits (IEEE 754), as long as its exponent has no more than two. */
const EXACT_DIGITS = 15;
const EXACT_EXPONENT_DIGITS = 2;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === POINT || isExponent(code) || code === PLUS || code === MINUS;
}

function isExponent(code: number): boolean {
  return code === LOWER_E || code === UPPER_E;
}

/** Returns true if a double might not represent the literal between two indexes exactly. False is certain. */
export function mayBeInexact(text: string, start: number, end: number): boolean {
  let digits = 0;
  let most = EXACT_DIGITS;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isExponent(code)) {
      digits = 0;
      most = EXACT_EXPONENT_DIGITS;
    } else if (isDigit(code) && ++digits > most) return true;
  }
  return false;
}

const BACKSLASH = 0x5c;

/** The index of the quote that ends the string beginning at `start`; the text's length if it is unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
