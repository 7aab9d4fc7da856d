import { formatMoney, normalizeCurrency } from '@finhook/contracts/currency';
import { sentenceCase } from '../../components/badge.tsx';

/** A value that an agent asks for, or the change of one. */
export interface PayloadField {
  label: string;
  value: string;
  /** What `value` replaces; absent if nothing is known of it. */
  before?: string;
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper values are shown as JSON. */
const MOST_LEVELS = 4;

const sides: Readonly<Record<string, 'before' | 'after'>> = {
  old: 'before',
  previous: 'before',
  current: 'before',
  before: 'before',
  from: 'before',
  new: 'after',
  next: 'after',
  proposed: 'after',
  after: 'after',
  to: 'after',
};

/** `beneficiaryName` and `beneficiary-name` as `beneficiary_name`. */
function snakeCase(key: string): string {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}

interface Side {
  side: 'before' | 'after';
  rest: string;
}

/**
 * The side of a change that a key names, with the rest of its words: `old_iban` and `iban_old` are `iban` before. `from`
 * and `to` name sides only as the two keys of an object: `from_account`, `valid_to` and those of a message are values.
 */
function sideOf(key: string, keyCount: number): Side | undefined {
  const words = snakeCase(key).split('_');
  const edges = [words[0] ?? '', words.at(-1) ?? ''];
  if (edges.some((word) => word === 'from' || word === 'to') && (words.length > 1 || keyCount !== 2)) return undefined;
  const [first, last] = edges.map((word) => sides[word]);
  if (first !== undefined) return { side: first, rest: words.slice(1).join('_') };
  return last === undefined ? undefined : { side: last, rest: words.slice(0, -1).join('_') };
}

interface Change {
  before?: unknown;
  after: unknown;
}

/** The values of an object by key, in their order; two keys that name both sides of a change are one. */
function changesOf(value: Json): Array<[key: string, change: Change]> {
  const keys = Object.keys(value);
  const named = keys.flatMap((key) => {
    const side = sideOf(key, keys.length);
    return side === undefined ? [] : [{ key, ...side }];
  });
  // More than one key on a side is no pair: which of them is replaced is unknown, and each has to be shown.
  const pairs = [...Map.groupBy(named, ({ rest }) => rest)].flatMap(([rest, same]) => {
    const [before, after] = [same.filter(({ side }) => side === 'before'), same.filter(({ side }) => side === 'after')];
    const [old, next] = [before[0], after[0]];
    return old && next && same.length === 2 ? [{ rest, old: old.key, next: next.key }] : [];
  });
  return keys.flatMap((key): Array<[string, Change]> => {
    const pair = pairs.find(({ old, next }) => key === old || key === next);
    if (pair === undefined) return [[key, { after: value[key] }]];
    return key === pair.next ? [[pair.rest, { before: value[pair.old], after: value[key] }]] : [];
  });
}

function changesBetween(before: Json, after: Json): Array<[key: string, change: Change]> {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].map((key) => [key, { before: before[key], after: after[key] }]);
}

function currencyIn(value: unknown, outer: string | undefined): string | undefined {
  const code = isObject(value) && typeof value['currency'] === 'string' ? value['currency'] : undefined;
  return (code === undefined ? undefined : normalizeCurrency(code)) ?? outer;
}

function textOf(value: unknown, key: string, currency: string | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  if (isAmount(key, currency) && Number.isSafeInteger(value)) return formatMoney(Number(value), currency);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return value.length === 0 ? '–' : value.map(String).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isAmount(key: string, currency: string | undefined): currency is string {
  return currency !== undefined && snakeCase(key).endsWith('_cents');
}

function labelOf(path: readonly string[], currency: string | undefined): string {
  const nameOf = (key: string): string =>
    isAmount(key, currency) ? snakeCase(key).slice(0, -'_cents'.length) : snakeCase(key);
  return path.length === 0 ? 'Value' : path.map((key) => sentenceCase(nameOf(key))).join(' · ');
}

/** The free JSON of a request as lines with labels: one for each value, and for each pair of an old and a new value. */
export function payloadFields(payload: unknown): PayloadField[] {
  return fieldsOf([], { after: payload }, undefined);
}

function fieldsOf(path: readonly string[], { before, after }: Change, outer: string | undefined): PayloadField[] {
  const currency = currencyIn(after, outer);
  const isPlain = before != null && !isObject(before);
  if (isObject(after) && !isPlain && path.length < MOST_LEVELS && Object.keys(after).length > 0) {
    const changes = before == null ? changesOf(after) : changesBetween(before, after);
    return changes.flatMap(([key, change]) => fieldsOf(key === '' ? path : [...path, key], change, currency));
  }
  const key = path.at(-1) ?? '';
  const value = textOf(after, key, currency);
  const replaced = before === undefined ? value : textOf(before, key, currency);
  return [{ label: labelOf(path, currency), value, ...(replaced !== value && { before: replaced }) }];
}
