import type { CatalogueField } from '@finhook/contracts/catalogue';
import { hashKey } from '@tanstack/react-query';
import { formText } from '../components/form.tsx';
import { parseJson } from '../lib/parse-json.ts';
import { parseMoney } from '../lib/parse-money.ts';
import { instantOf, localOf } from '../lib/zoned-time.ts';

export type ParsedValue = { value: unknown } | { fault: string };
export type ReadField = (data: FormData, currency: string) => ParsedValue | undefined;

export interface Reading {
  zone: string;
  currency: string;
  isUpdate: boolean;
  boxes?: boolean;
  /** The stored value, whose unchanged lines are kept as they are. */
  stored?: unknown;
}

export const UPPER = new Set(['currency', 'base_currency', 'country', 'jurisdiction']);

const BREAKS = /\s*[\r\n\u2028\u2029]\s*/g;

function shownLine(key: string, value: unknown): string {
  return `${key}: ${String(value)}`.replaceAll(BREAKS, ' ');
}

/** The stored pairs by the line that shows them: an unchanged line keeps its pair, also one that no line could express. */
function pairsByLine(stored: object): Map<string, Array<readonly [key: string, value: string]>> {
  return Map.groupBy(
    Object.entries(stored).map(([key, value]) => [key, String(value)] as const),
    ([key, value]) => shownLine(key, value).trim(),
  );
}

/** A typed line is split at its first colon. With `caselessKeys`, keys that differ in case only are the same. */
export function readMetadata(
  text: string,
  stored: object = {},
  caselessKeys = false,
): { metadata: Record<string, string> } | { fault: string } {
  const kept = pairsByLine(stored);
  const entries = new Map<string, string>();
  const names = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const pair = kept.get(line.trim())?.shift();
    if (line.trim() === '' && pair === undefined) continue;
    const at = line.indexOf(':');
    const [key, value] = pair ?? [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()];
    if (key === '' && pair === undefined) return { fault: `Line ${i + 1} must have the form "key: value".` };
    const name = caselessKeys ? key.toLowerCase() : key;
    if (names.has(name)) return { fault: `Line ${i + 1} repeats the key "${key}".` };
    names.add(name);
    entries.set(key, value);
  }
  return { metadata: Object.fromEntries(entries) };
}

function linesOf(data: FormData, name: string): string[] {
  const text = data.get(name);
  const lines = typeof text === 'string' ? text.split(/\r?\n/) : [];
  return [...new Set(lines.map((line) => line.trim()).filter(Boolean))];
}

export function readValue(
  field: CatalogueField,
  data: FormData,
  { zone, currency, isUpdate, boxes, stored }: Reading,
): ParsedValue {
  const text = formText(data, field.name);
  const pairs = typeof stored === 'object' && stored !== null ? stored : {};
  // A new record omits empty fields; an update clears them if they are nullable.
  const empty = !isUpdate ? undefined : field.nullable ? null : '';
  switch (field.type) {
    case 'boolean':
      return { value: data.has(field.name) };
    case 'list': {
      const items = boxes ? data.getAll(field.name) : linesOf(data, field.name);
      return { value: items.length === 0 && !isUpdate && field.required !== true ? undefined : items };
    }
    case 'json': {
      const read = parseJson(text);
      return 'fault' in read ? { fault: read.fault } : { value: read.value };
    }
    case 'object': {
      const read = readMetadata(text ?? '', pairs, field.caselessKeys);
      return 'fault' in read ? read : { value: read.metadata };
    }
    case 'instant':
      return { value: text === undefined ? empty : (instantOf(text, zone) ?? text) };
    case 'integer':
    case 'number': {
      if (text === undefined) return { value: isUpdate && !field.nullable ? undefined : empty };
      if (field.unit === 'milliseconds') return { value: Math.round(Number(text) * 1_000) };
      if (field.unit !== 'minor_units') return { value: Number(text) };
      const amount = parseMoney(text, currency);
      return 'fault' in amount ? amount : { value: amount.cents };
    }
    default:
      return { value: text === undefined ? empty : UPPER.has(field.name) ? text.toUpperCase() : text };
  }
}

export function shownText(field: CatalogueField, value: unknown, zone: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return field.type === 'instant' ? localOf(value, zone) : value;
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'number' && field.unit === 'milliseconds') return String(value / 1_000);
  if (field.type === 'object')
    return Object.entries(value)
      .map(([key, text]) => shownLine(key, text))
      .join('\n');
  return JSON.stringify(value, null, 2);
}

/** Returns the fields of `after` that differ from `before`. An update sends only these, and so keeps concurrent changes. */
export function dirtyFields<Fields extends object>(before: object, after: Fields): Partial<Fields> {
  const stored = new Map<string, unknown>(Object.entries(before));
  return partOf<Fields>(
    Object.entries(after).filter(([name, value]) => hashKey([stored.get(name)]) !== hashKey([value])),
  );
}

/**
 * The fields that the user edited. Controls change what they show: a line drops line breaks, a time its seconds; so a value
 * also has to differ from `unedited`, which they returned at first.
 */
export function editedFields<Fields extends object>(stored: object, unedited: object, now: Fields): Partial<Fields> {
  return dirtyFields(stored, dirtyFields(unedited, now));
}

function partOf<Fields>(entries: ReadonlyArray<[string, unknown]>): Partial<Fields> {
  return Object.fromEntries(entries) as Partial<Fields>;
}
