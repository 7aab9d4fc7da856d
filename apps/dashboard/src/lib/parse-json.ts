import { walkJson } from '@finhook/contracts/json-text';
import { numberError } from '@finhook/contracts/number-error';
import type { FieldError } from './problem.ts';

export type ParsedJson = { value: unknown } | { fault: string; faults: readonly FieldError[] };

/**
 * Parses typed JSON; `value` is undefined for empty text. Rejects duplicate keys and numbers that a double can't
 * represent, because the service only sees the parsed result.
 */
export function parseJson(text: string | undefined): ParsedJson {
  if (text === undefined || text.trim() === '') return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const fault = `Invalid JSON. ${error instanceof Error ? error.message : ''}`.trim();
    return { fault, faults: [{ pointer: '', code: 'malformed_json', message: fault }] };
  }
  const faults = faultsIn(text);
  const [first] = faults;
  return first ? { fault: `${first.pointer} ${first.message}`.trim(), faults } : { value };
}

/** Duplicate keys first, then numbers. */
function faultsIn(text: string): FieldError[] {
  const duplicates: FieldError[] = [];
  const inexact: FieldError[] = [];
  for (const { kind, path, start, end } of walkJson(text)) {
    if (kind === 'duplicate') {
      const message = 'is a duplicate key. Keep only one.';
      duplicates.push({ pointer: pointerOf(path), code: 'duplicate_json_key', message });
    } else if (kind === 'value' && /[-\d]/.test(text.charAt(start))) {
      const fault = numberError(text.slice(start, end));
      if (fault) inexact.push({ pointer: pointerOf(path), ...fault });
    }
  }
  return [...duplicates, ...inexact];
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export interface SourceRange {
  start: number;
  end: number;
  readonly line: number;
}

/** Where each value of a valid JSON text is, by its pointer. */
export function mapJsonSource(text: string): ReadonlyMap<string, SourceRange> {
  const ranges = new Map<string, SourceRange>();
  for (const { kind, path, start, end } of walkJson(text)) {
    if (kind !== 'value') continue;
    ranges.set(pointerOf(path), {
      start,
      end,
      // Lazy: a text may have thousands of values, of which few are needed.
      get line() {
        return text.slice(0, start).split('\n').length;
      },
    });
  }
  return ranges;
}

/** The range of a pointer; for a missing value, the range of its parent object. */
export function rangeOf(ranges: ReadonlyMap<string, SourceRange>, pointer: string): SourceRange | undefined {
  for (let now = pointer; ; now = now.slice(0, now.lastIndexOf('/'))) {
    const range = ranges.get(now);
    if (range || now === '') return range;
  }
}
