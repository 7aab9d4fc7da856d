import { setImmediate } from 'node:timers/promises';
import {
  type FieldError,
  type JsonLimits,
  type JsonScan,
  mayBeInexact,
  numberError,
  scanJson,
  walkJson,
} from '@finhook/contracts';
import { DomainError } from '../verbs/domain-error.ts';
import { pointerOf } from './field-errors.ts';

/** Fields of free JSON, whose own limits are checked later. A test compares them with the catalogue. */
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
/** V8 turns objects with more than about a thousand names into hash tables, whose copies take milliseconds. */
const limits: JsonLimits = { depth: 32, names: 200, freeNames: 1_000, freeFields };
const SHORT_TEXT = 32 * 1024;

export interface ParsedJson {
  value: unknown;
  /** Errors of numbers that a double cannot represent, because silently rounding money is worse. */
  inexact: FieldError[];
}

/**
 * @throws `malformed_json` (also beyond 32 levels of nesting), `duplicate_json_key`, or `body_too_large` for an object
 * with more than 200 names, 1 000 in free JSON
 */
export function parseJson(text: string): ParsedJson {
  const reading = readJson(text);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

/** Like `parseJson`, but yields to the event loop. `anyWidth` lifts the limit on names per object, for responses of providers. */
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
  // Scanning first avoids building a value that is too deep or too wide.
  const scan = scanJson(text, anyWidth ? { ...limits, names: Infinity, freeNames: Infinity } : limits);
  if (scan.depth > limits.depth) {
    throw new DomainError('malformed_json', { detail: `The body is nested deeper than ${limits.depth} levels.` });
  }
  if (scan.wide) throw tooWide(scan.wide);
  if (text.length > SHORT_TEXT) yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed_json', { detail: `The body is not valid JSON: ${syntaxErrorOf(error)}.` });
  }
  const repeated = scan.names !== countKeys(value);
  if (!repeated && !scan.maybeInexact) return { value, inexact: [] };
  if (text.length > SHORT_TEXT) yield;
  // The slow walk tracks pointers. It runs only if the scan found something.
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

function tooWide({ at, limit }: NonNullable<JsonScan['wide']>): DomainError {
  return new DomainError('body_too_large', {
    detail: `The object at character ${at + 1} of the JSON has more than ${limit} names. Send fewer, or split the request.`,
    extra: { limit_names: limit },
  });
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

/** Ten per row of a full batch. Responses show fewer, but errors in ignored fields are dropped first. */
const MAX_INEXACT = 5_000;

const tooManyInexact: FieldError = {
  pointer: '',
  code: 'out_of_range',
  message: `has more than ${MAX_INEXACT} numbers that cannot be kept exactly`,
};

const CHARACTERS_AT_ONCE = 32 * 1024;

/**
 * Finds the first repeated key and up to `MAX_INEXACT` inexact numbers of a well-formed JSON text. Yields every few
 * milliseconds.
 */
export function* locateJsonErrors(text: string): Generator<undefined, JsonErrors> {
  const inexactNumbers: FieldError[] = [];
  let pause = CHARACTERS_AT_ONCE;
  for (const { kind, path, start, end } of walkJson(text)) {
    if (kind === 'duplicate') return { duplicateKey: pointerOf(path), inexactNumbers };
    if (end >= pause) {
      yield;
      pause = end + CHARACTERS_AT_ONCE;
    }
    if (kind === 'space' || !/[-\d]/.test(text.charAt(start)) || !mayBeInexact(text, start, end)) continue;
    const error = numberError(text.slice(start, end));
    if (error === undefined) continue;
    if (inexactNumbers.length === MAX_INEXACT) return { inexactNumbers: [tooManyInexact, ...inexactNumbers] };
    inexactNumbers.push({ pointer: pointerOf(path), ...error });
  }
  return { inexactNumbers };
}
