import { numberError } from '@finhook/contracts/number-error';
import { mapJsonSource } from './json-source-map.ts';
import type { FieldError } from './problem.ts';

export type ReadJson = { value: unknown } | { fault: string; faults: readonly FieldError[] };

/**
 * Parses typed JSON; `value` is undefined for empty text. Rejects duplicate keys and numbers that a double can't
 * represent, because the service only sees the parsed result.
 */
export function parseJson(text: string | undefined): ReadJson {
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

function faultsIn(text: string): FieldError[] {
  const { at, twice } = mapJsonSource(text);
  const repeated = twice.map((pointer) => ({
    pointer,
    code: 'duplicate_json_key',
    message: 'is a duplicate key. Keep only one.',
  }));
  const inexact = [...at].flatMap(([pointer, { start, end }]) => {
    const fault = /[-\d]/.test(text.charAt(start)) ? numberError(text.slice(start, end)) : undefined;
    return fault ? [{ pointer, ...fault }] : [];
  });
  return [...repeated, ...inexact];
}
