/** The scanners of JSON text: everything about it that `JSON.parse` does not say. */

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Any double keeps this many digits (IEEE 754), as long as its exponent has no more than two. */
const EXACT_DIGITS = 15;
const EXACT_EXPONENT_DIGITS = 2;

export interface JsonLimits {
  depth: number;
  /** Names in one object. */
  names: number;
  /** Names in one object inside of a field of `freeFields`. */
  freeNames: number;
  freeFields: ReadonlySet<string>;
}

export interface JsonScan {
  /** Names of all objects; those that stand twice count twice. */
  names: number;
  depth: number;
  /** True if a double might not represent one of the numbers. */
  maybeInexact: boolean;
  /** The first object with too many names: the index of its brace, and how many it may have. */
  wide?: { at: number; limit: number };
}

/** A fast scan before parsing. It stops at the first level that is too deep and at the first object that is too wide. */
export function scanJson(text: string, limits: JsonLimits): JsonScan {
  const scan: JsonScan = { names: 0, depth: 0, maybeInexact: false };
  const openings: number[] = [];
  const names: number[] = [];
  let depth = 0;
  /** The level of the free JSON that the scan is in; 0 outside. */
  let free = 0;
  let string = 0;
  /** Start of the name before a colon, until its value starts. */
  let name = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      const end = endOfNumber(text, i);
      if (!scan.maybeInexact) scan.maybeInexact = mayBeInexact(text, i, end);
      i = end - 1;
    } else if (code === QUOTE) {
      string = i;
      name = -1;
      i = endOfString(text, i);
    } else if (code === COLON) {
      scan.names++;
      name = string;
      const count = (names[depth] ?? 0) + 1;
      names[depth] = count;
      const limit = free === 0 ? limits.names : limits.freeNames;
      if (count > limit) return { ...scan, wide: { at: openings[depth] ?? 0, limit } };
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > scan.depth) scan.depth = depth;
      names[depth] = 0;
      openings[depth] = i;
      if (free === 0 && name !== -1 && limits.freeFields.has(text.slice(name + 1, endOfString(text, name))))
        free = depth;
      name = -1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (free === depth) free = 0;
      depth--;
    }
    if (depth > limits.depth) break;
  }
  return scan;
}

/**
 * A value of a JSON text, or a name that its object has already, from `start` to before `end`. `space` is no part of a
 * value: the reader may pause there.
 */
export interface JsonPart {
  kind: 'value' | 'duplicate' | 'space';
  /** Valid until the next part. */
  path: readonly (string | number)[];
  start: number;
  end: number;
}

interface Level {
  start: number;
  /** Absent for an array. */
  names?: Set<string>;
}

/** Characters of white space until the reader may pause. */
const SPACE_AT_ONCE = 32 * 1024;

/** The values of a well-formed JSON text, those of an object or array before itself. */
export function* walkJson(text: string): Generator<JsonPart, void, undefined> {
  const levels: Level[] = [];
  const path: (string | number)[] = [];
  let expectsName = false;
  let space = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const start = i;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      expectsName = code === OPEN_BRACE;
      levels.push(expectsName ? { start, names: new Set() } : { start });
      path.push(expectsName ? '' : 0);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      const closed = levels.pop();
      path.pop();
      expectsName = false;
      yield { kind: 'value', path, start: closed?.start ?? 0, end: i + 1 };
    } else if (code === COMMA) {
      const index = path.at(-1);
      expectsName = typeof index !== 'number';
      if (typeof index === 'number') path[path.length - 1] = index + 1;
    } else if (isOfScalar(code)) {
      const end = endOfScalar(text, i);
      i = end - 1;
      const names = levels.at(-1)?.names;
      if (!expectsName || !names) {
        yield { kind: 'value', path, start, end };
        continue;
      }
      expectsName = false;
      const name = nameOf(text.slice(start, end));
      path[path.length - 1] = name;
      if (names.has(name)) yield { kind: 'duplicate', path, start, end };
      names.add(name);
    } else if (i >= space + SPACE_AT_ONCE) {
      yield { kind: 'space', path, start: space, end: i };
      space = i;
    }
  }
}

// The text is well-formed, so its names are JSON strings.
function nameOf(literal: string): string {
  return JSON.parse(literal) as string;
}

/** Counts the values of a JSON text that comes in chunks, by its commas and opening brackets outside of strings. */
export function createValueCounter(): (chunk: Uint8Array) => number {
  let values = 0;
  let inString = false;
  let escaped = false;
  return (chunk) => {
    // `for of` takes twice the time.
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (escaped) escaped = false;
      else if (inString) {
        if (byte === QUOTE) inString = false;
        else if (byte === BACKSLASH) escaped = true;
      } else if (byte === QUOTE) inString = true;
      else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) values++;
    }
    return values;
  };
}

/** True if a double might not represent the number between two indexes exactly. False is certain. */
export function mayBeInexact(text: string, start: number, end: number): boolean {
  let digits = 0;
  let most = EXACT_DIGITS;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === LOWER_E || code === UPPER_E) {
      digits = 0;
      most = EXACT_EXPONENT_DIGITS;
    } else if (isDigit(code) && ++digits > most) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === POINT || code === LOWER_E || code === UPPER_E || code === PLUS || code === MINUS;
}

/** Quotes, digits, signs, and the letters of `true`, `false` and `null`. */
function isOfScalar(code: number): boolean {
  return code === QUOTE || isOfNumber(code) || isLetter(code);
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function endOfScalar(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start) + 1;
  if (!isLetter(code)) return endOfNumber(text, start);
  let end = start + 1;
  while (isLetter(text.charCodeAt(end))) end++;
  return end;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

/** The index of the quote that ends the string beginning at `start`; the text's length if it is unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
