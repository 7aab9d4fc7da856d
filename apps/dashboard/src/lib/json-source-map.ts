export interface SourceRange {
  start: number;
  end: number;
  readonly line: number;
}

export interface JsonSourceMap {
  at: ReadonlyMap<string, SourceRange>;
  /** Pointers of duplicate keys: the service rejects them, and parsers keep only one. */
  twice: readonly string[];
}

const TOKEN = /[\s:,]*(?:([{}[\]])|("(?:[^"\\]|\\.)*")|([^\s:,{}[\]"]+))/y;

interface Open {
  pointer: string;
  start: number;
  keys: Set<string> | undefined;
  /** The next index of an array, or the key of an object's next value. */
  next: number | string | undefined;
}

function pointerInto(parent: Open | undefined): string {
  if (!parent) return '';
  return `${parent.pointer}/${String(parent.next).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function keyOf(token: string): string {
  return JSON.parse(token) as string;
}

export function mapJsonSource(text: string): JsonSourceMap {
  const at = new Map<string, SourceRange>();
  const twice: string[] = [];
  const open: Open[] = [];
  const addRange = (pointer: string, start: number, end: number): void => {
    at.set(pointer, {
      start,
      end,
      // Lazy: a text may have thousands of values, of which few are needed.
      get line() {
        return text.slice(0, start).split('\n').length;
      },
    });
    const parent = open.at(-1);
    if (parent) parent.next = parent.keys ? undefined : Number(parent.next) + 1;
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [, bracket, string, word] = match;
    const token = bracket ?? string ?? word ?? '';
    const [start, end] = [TOKEN.lastIndex - token.length, TOKEN.lastIndex];
    const parent = open.at(-1);
    if (bracket === '{' || bracket === '[') {
      const keys = bracket === '{' ? new Set<string>() : undefined;
      open.push({ pointer: pointerInto(parent), start, keys, next: keys ? undefined : 0 });
    } else if (bracket !== undefined) {
      const closed = open.pop();
      if (closed) addRange(closed.pointer, closed.start, end);
    } else if (string !== undefined && parent?.keys && parent.next === undefined) {
      parent.next = keyOf(string);
      if (parent.keys.has(parent.next)) twice.push(pointerInto(parent));
      parent.keys.add(parent.next);
    } else addRange(pointerInto(parent), start, end);
  }
  return { at, twice };
}

/** The range of a pointer; for a missing value, the range of its parent object. */
export function rangeOf({ at }: JsonSourceMap, pointer: string): SourceRange | undefined {
  for (let now = pointer; ; now = now.slice(0, now.lastIndexOf('/'))) {
    const place = at.get(now);
    if (place || now === '') return place;
  }
}
