import { numberFault } from '@finhook/contracts/number-fault';
import type { FieldError } from '../data/problem.ts';
import { mapJsonSource } from './json-source-map.ts';

/** What a text holds as JSON; or why it is not sent, in a sentence and by its places. */
export type ReadJson = { value: unknown } | { fault: string; faults: readonly FieldError[] };

/**
 * Reads what a person typed. Empty text holds nothing: `value` is undefined. A key that stands twice and a number that a
 * double does not keep are refused, as the service refuses them in a text that it reads itself: of what is sent from
 * here it sees only what parsing left.
 */
export function parseJson(text: string | undefined): ReadJson {
  if (text === undefined || text.trim() === '') return { value: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'It cannot be read.';
    const fault = `This is not JSON. ${why}`;
    return { fault, faults: [{ pointer: '', code: 'malformed_json', message: fault }] };
  }
  const faults = faultsIn(text);
  const [first] = faults;
  return first ? { fault: `${first.pointer} ${first.message}`.trim(), faults } : { value };
}

/** What parsing a valid JSON text loses without a word. */
function faultsIn(text: string): FieldError[] {
  const { at, twice } = mapJsonSource(text);
  const repeated = twice.map((pointer) => ({
    pointer,
    code: 'duplicate_json_key',
    message: 'stands twice: keep one of them',
  }));
  const inexact = [...at].flatMap(([pointer, { start, end }]) => {
    const fault = /[-\d]/.test(text.charAt(start)) ? numberFault(text.slice(start, end)) : undefined;
    return fault ? [{ pointer, ...fault }] : [];
  });
  return [...repeated, ...inexact];
}
