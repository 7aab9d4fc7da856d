import { setImmediate } from 'node:timers/promises';
import type { FieldError } from '@finhook/contracts';
import { DomainError } from './domain-error.ts';
import { endOfString } from './end-of-string.ts';
import { locateJsonFaults } from './locate-json-faults.ts';
import { endOfNumber, isDigit, mayBeInexact } from './number-literal.ts';

const MAX_DEPTH = 32;
/** Texts up to this length are read in one turn. */
const SHORT_TEXT = 32 * 1024;
const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/** The result of one pass over a text that need not be JSON. */
interface Scan {
  keys: number;
  depth: number;
  /** Whether it has a number literal that a double might not hold exactly. */
  suspicious: boolean;
}

export interface ParsedJson {
  value: unknown;
  /** Number literals that a double cannot keep: silently rounded money would be worse than a refusal. */
  inexact: FieldError[];
}

/**
 * Parses a short text. Throws `malformed_json`, `duplicate_json_key` (RFC 8259 leaves both to the receiver; a repeated key
 * in money data is a mistake), or `malformed_json` beyond 32 levels of nesting.
 */
export function parseJson(text: string): ParsedJson {
  const reading = readJson(text);
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

/** `parseJson` that yields to the event loop while it reads a long text. Rejects with the reason of an aborted signal. */
export async function parseLongJson(text: string, signal?: AbortSignal): Promise<ParsedJson> {
  const reading = readJson(text);
  let step = reading.next();
  while (!step.done) {
    await setImmediate(undefined, { signal });
    step = reading.next();
  }
  return step.value;
}

/** Yields where others may have their turn. */
function* readJson(text: string): Generator<undefined, ParsedJson> {
  // Before parsing: a parser takes its time to build what will be refused for its depth.
  const scan = scanJson(text);
  if (scan.depth > MAX_DEPTH) {
    throw new DomainError('malformed_json', { detail: `The body is nested deeper than ${MAX_DEPTH} levels.` });
  }
  if (text.length > SHORT_TEXT) yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed_json', { detail: `The body is not valid JSON: ${faultOf(error)}.` });
  }
  const repeated = scan.keys !== countKeys(value);
  if (!repeated && !scan.suspicious) return { value, inexact: [] };
  if (text.length > SHORT_TEXT) yield;
  // The slow walk runs only when the fast one saw something: it knows the place of every key and number.
  const { duplicateKey, inexactNumbers } = yield* locateJsonFaults(text);
  if (duplicateKey !== undefined) {
    throw new DomainError('duplicate_json_key', {
      detail: `The key at ${duplicateKey} appears twice in the same object. Send each key once.`,
      extra: { pointer: duplicateKey },
    });
  }
  return { value, inexact: inexactNumbers };
}

/** What the parser says, without the text around the place: it quotes the body, and that may hold a secret. */
function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^(?:Unexpected token '.+?'|[^"]+$)/su.exec(message)?.[0] ?? 'it holds no value';
}

/** Stops at the first level that is too deep. */
function scanJson(text: string): Scan {
  const scan: Scan = { keys: 0, depth: 0, suspicious: false };
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      const end = endOfNumber(text, i);
      if (!scan.suspicious) scan.suspicious = mayBeInexact(text, i, end);
      i = end - 1;
    } else if (code === QUOTE) i = endOfString(text, i);
    else if (code === COLON) scan.keys++;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > scan.depth) scan.depth = depth;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    if (depth > MAX_DEPTH) break;
  }
  return scan;
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
