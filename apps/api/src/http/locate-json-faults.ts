import type { FieldError } from '@finhook/contracts';
import { pointerOf } from '@finhook/core';
import { endOfString } from './end-of-string.ts';

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

interface Frame {
  keys: Set<string> | undefined;
  /** The current key of an object or index of an array. */
  at: string | number;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Walks a well-formed JSON text and names the places of numbers that a double cannot hold, up to the first key that is
 * repeated. Of more than `MAX_INEXACT` numbers it names the first ones, behind a fault of the whole.
 */
export function locateJsonFaults(text: string): JsonFaults {
  const inexactNumbers: FieldError[] = [];
  const stack: Frame[] = [];
  let expectsKey = false;
  for (let i = 0; i < text.length; i++) {
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

/** The fault of a literal that would be rounded to another integer, or that no finite double is near. */
function judgeNumber(literal: string, pointer: () => string): FieldError | undefined {
  const value = Number(literal);
  const shown = literal.slice(0, 64);
  if (!Number.isFinite(value)) {
    return { pointer: pointer(), code: 'out_of_range', message: `must be a number a double can hold; got ${shown}` };
  }
  if (!Number.isInteger(value) || isExactly(literal, value)) return undefined;
  return isWhole(literal)
    ? { pointer: pointer(), code: 'out_of_range', message: `must lie within ±9007199254740991; got ${shown}` }
    : { pointer: pointer(), code: 'not_an_integer', message: `has more digits than can be kept exactly; got ${shown}` };
}

/** Digits and decimal exponent of a literal: its value is `digits × 10^exponent`. */
function decompose(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  // Not by a pattern: looking for zeros at the end, one would try each run of zeros on the way.
  let end = all.length;
  while (all.charAt(end - 1) === '0') end--;
  return { digits: all.slice(0, end), exponent: Number(exponent) - fraction.length + all.length - end };
}

function isWhole(literal: string): boolean {
  const { digits, exponent } = decompose(literal);
  return exponent >= 0 || /^-?0*$/.test(digits);
}

function isExactly(literal: string, value: number): boolean {
  if (value === 0) return /^-?[0.]*(e.*)?$/i.test(literal);
  const { digits, exponent } = decompose(literal);
  if (exponent < 0 || exponent > 400) return false;
  return BigInt(digits || '0') * 10n ** BigInt(exponent) === BigInt(value);
}
