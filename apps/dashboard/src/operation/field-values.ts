import type { CatalogueField } from '@finhook/contracts/catalogue';
import { hashKey } from '@tanstack/react-query';
import { formText } from '../components/form.tsx';
import { parseJson } from '../lib/parse-json.ts';
import { parseMoney } from '../lib/parse-money.ts';
import { instantOf, localOf } from '../lib/zoned-time.ts';

export type ReadValue = { value: unknown } | { fault: string };
export type ReadField = (data: FormData, currency: string) => ReadValue | undefined;

export interface Reading {
  zone: string;
  currency: string;
  isUpdate: boolean;
  boxes?: boolean;
  /** Keeps the spaces of a list's lines: connection ids are compared byte by byte. */
  verbatim?: boolean | undefined;
}

export const UPPER = new Set(['currency', 'base_currency', 'country', 'jurisdiction']);

/** A key may contain colons: it ends at the first one before a space or the end of the line, if there is one. */
function splitLine(line: string): readonly [key: string, value: string] {
  const [, key = '', value = ''] = /^(.*?):(?:\s+(.*))?$/.exec(line.trim()) ?? /^(.*?):(.*)$/.exec(line.trim()) ?? [];
  return [key.trim(), value.trim()];
}

export function readMetadata(text: string): { metadata: Record<string, string> } | { fault: string } {
  const entries = new Map<string, string>();
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [key, value] = splitLine(line);
    if (key === '') return { fault: `Line ${i + 1} must have the form "key: value".` };
    if (entries.has(key)) return { fault: `Line ${i + 1} repeats the key "${key}".` };
    entries.set(key, value);
  }
  return { metadata: Object.fromEntries(entries) };
}

function linesOf(data: FormData, name: string, verbatim: boolean): string[] {
  const text = data.get(name);
  const lines = typeof text === 'string' ? text.split(/\r?\n/) : [];
  return [...new Set(lines.map((line) => (verbatim ? line : line.trim())).filter(Boolean))];
}

export function readValue(
  field: CatalogueField,
  data: FormData,
  { zone, currency, isUpdate, boxes, verbatim = false }: Reading,
): ReadValue {
  const text = formText(data, field.name);
  // A new record omits empty fields; an update clears them if they are nullable.
  const empty = !isUpdate ? undefined : field.nullable ? null : '';
  switch (field.type) {
    case 'boolean':
      return { value: data.has(field.name) };
    case 'list': {
      const items = boxes ? data.getAll(field.name) : linesOf(data, field.name, verbatim);
      return { value: items.length === 0 && !isUpdate && field.required !== true ? undefined : items };
    }
    case 'json': {
      const read = parseJson(text);
      return 'fault' in read ? { fault: read.fault } : { value: read.value };
    }
    case 'object': {
      const read = readMetadata(text ?? '');
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
      .map(([key, text]) => `${key}: ${String(text)}`.replaceAll(/\s*[\r\n]\s*/g, ' '))
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
