import type { FieldError } from '@finhook/contracts';
import { endOfString } from './end-of-string.ts';
import { pointerOf } from './pointer-of.ts';

export interface JsonFaults {
  /** Pointer (RFC 6901) of the first key that stands twice in its object. */
  duplicateKey?: string;
  inexactNumbers: FieldError[];
}

/**
 * Ten in each row of a full batch. Not as few as are shown: one in a field that is stored may stand behind many in
 * fields that are not, which are nobody's loss.
 */
const MAX_INEXACT = 5_000;

/** Stands for the body as a whole, which is refused then wherever they are. */
const tooManyInexact: FieldError = {
  pointer: '',
  code: 'out_of_range',
  message: `has more than ${MAX_INEXACT} numbers that cannot be kept exactly`,
};

/** Characters of a walk between two pauses. */
const CHARACTERS_AT_ONCE = 32 * 1024;

/** Significant digits that any double keeps, and most that `toPrecision` tells. */
const SURE_DIGITS = 15;
const MOST_DIGITS = 100;

interface Frame {
  keys: Set<string> | undefined;
  /** The current key of an object or index of an array. */
  at: string | number;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Walks a well-formed JSON text and names the places of numbers that a double cannot keep, up to the first key that is
 * repeated. Of more than `MAX_INEXACT` numbers it names the first ones, behind a fault of the whole. Yields every few
 * milliseconds, for callers that let others have their turn.
 */
export function* locateJsonFaults(text: string): Generator<undefined, JsonFaults> {
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
        if (top.keys.has(key)) return { duplicateKey: placeOf(stack), inexactNumbers };
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
      NUMBER.lastIndex = i;
      const literal = NUMBER.exec(text)?.[0] ?? character;
      const fault = judgeNumber(literal, () => placeOf(stack));
      if (fault && inexactNumbers.length === MAX_INEXACT)
        return { inexactNumbers: [tooManyInexact, ...inexactNumbers] };
      if (fault) inexactNumbers.push(fault);
      i += literal.length - 1;
    }
  }
  return { inexactNumbers };
}

function placeOf(stack: readonly Frame[]): string {
  return pointerOf(stack.map(({ at }) => at));
}

/** The fault of a literal that its double is not: other digits at the precision that was sent, or no finite number. */
function judgeNumber(literal: string, pointer: () => string): FieldError | undefined {
  const value = Number(literal);
  const shown = literal.slice(0, 64);
  if (!Number.isFinite(value)) {
    return { pointer: pointer(), code: 'out_of_range', message: `must be a number a double can hold; got ${shown}` };
  }
  const sent = decompose(literal);
  if (isKept(sent, value)) return undefined;
  const code = sent.exponent >= 0 ? 'out_of_range' : 'not_an_integer';
  const message = `has more digits than can be kept (${SURE_DIGITS} always can); got ${shown}`;
  return { pointer: pointer(), code, message };
}

/** A value `digits × 10^exponent` without its sign; zero has no digits. */
interface Decimal {
  digits: string;
  exponent: number;
}

function decompose(literal: string): Decimal {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  // Not by a pattern: looking for zeros at the end, one would try each run of zeros on the way.
  let end = all.length;
  while (all.charAt(end - 1) === '0') end--;
  let start = 0;
  while (start < end && all.charAt(start) === '0') start++;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

/**
 * Whether a double, told with as many digits as were sent, is what was sent. Of two that are as near `toPrecision` tells
 * the greater one, and the shortest notation, which most programs write, the even one.
 */
function isKept(sent: Decimal, value: number): boolean {
  const count = sent.digits.length;
  if (count === 0 || count > MOST_DIGITS) return count === 0;
  return [value.toPrecision(count), String(value)].some((told) => isSame(decompose(told), sent));
}

function isSame(a: Decimal, b: Decimal): boolean {
  return a.digits === b.digits && a.exponent === b.exponent;
}
