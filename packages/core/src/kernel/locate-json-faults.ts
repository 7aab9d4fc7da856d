import { type FieldError, numberFault } from '@finhook/contracts';
import { endOfString } from './end-of-string.ts';
import { endOfNumber, mayBeInexact } from './number-literal.ts';
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

interface Frame {
  keys: Set<string> | undefined;
  /** The current key of an object or index of an array. */
  at: string | number;
}

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
      const end = endOfNumber(text, i);
      const fault = mayBeInexact(text, i, end) ? numberFault(text.slice(i, end)) : undefined;
      if (fault && inexactNumbers.length === MAX_INEXACT)
        return { inexactNumbers: [tooManyInexact, ...inexactNumbers] };
      if (fault) inexactNumbers.push({ pointer: placeOf(stack), ...fault });
      i = end - 1;
    }
  }
  return { inexactNumbers };
}

function placeOf(stack: readonly Frame[]): string {
  return pointerOf(stack.map(({ at }) => at));
}
