import { numberError } from '@finhook/contracts/number-error';
import { parseJson } from '../../../lib/parse-json.ts';
import type { ParsedValue } from '../../../operation/field-values.ts';

export const conditionOps = [
  ['eq', 'is'],
  ['ne', 'is not'],
  ['in', 'is one of'],
  ['gt', 'is greater than'],
  ['gte', 'is at least'],
  ['lt', 'is less than'],
  ['lte', 'is at most'],
  ['starts_with', 'starts with'],
  ['exists', 'has a value'],
] as const;
export type ConditionOp = (typeof conditionOps)[number][0];

export type ValueKind = 'text' | 'number' | 'true' | 'false' | 'null';

export interface ConditionDraft {
  key: string;
  field: string;
  op: ConditionOp;
  kind: ValueKind;
  text: string;
}

export interface FilterDraft {
  mode: 'none' | 'builder' | 'json';
  match: 'all' | 'any';
  conditions: readonly ConditionDraft[];
  json: string;
}

export function newCondition(part: Partial<ConditionDraft> = {}): ConditionDraft {
  return { key: crypto.randomUUID(), field: 'data.', op: 'eq', kind: 'text', text: '', ...part };
}

export function kindsOf(op: ConditionOp): readonly ValueKind[] {
  if (op === 'exists') return ['true', 'false'];
  if (op === 'starts_with') return ['text'];
  return op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte'
    ? ['text', 'number']
    : ['text', 'number', 'true', 'false', 'null'];
}

type Scalar = string | number | boolean | null;

function readScalar(kind: ValueKind, text: string): Scalar | undefined {
  if (kind === 'true' || kind === 'false') return kind === 'true';
  if (kind === 'null') return null;
  if (kind === 'text') return text;
  const trimmed = text.trim();
  const value = Number(trimmed);
  // A number that a double can't represent would compare as another number.
  return trimmed !== '' && numberError(trimmed) === undefined ? value : undefined;
}

function readValue({ op, kind, text }: ConditionDraft): Scalar | Scalar[] | undefined {
  if (op !== 'in' || (kind !== 'text' && kind !== 'number')) {
    const scalar = readScalar(kind, text);
    return op === 'in' && scalar !== undefined ? [scalar] : scalar;
  }
  const parts = text.split(',').map((part) => readScalar(kind, part.trim()));
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? known : undefined;
}

function readJson(text: string): ParsedValue {
  const parsed = parseJson(text);
  if ('fault' in parsed) return { fault: parsed.fault };
  const { value } = parsed;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { value }
    : { fault: 'Enter a JSON object such as {"op": "eq", "field": "data.currency", "value": "USD"}.' };
}

/** Builds the structure only; the service validates it. */
export function readFilter(draft: FilterDraft): ParsedValue {
  if (draft.mode === 'none') return { value: null };
  if (draft.mode === 'json') return readJson(draft.json);
  const conditions: unknown[] = [];
  for (const [i, condition] of draft.conditions.entries()) {
    const value = readValue(condition);
    if (value === undefined) return { fault: `Condition ${i + 1}: enter a number such as 1500 or -3.5.` };
    conditions.push({ op: condition.op, field: condition.field.trim(), value });
  }
  if (conditions.length === 0) return { fault: 'Add a condition, or choose “No filter”.' };
  return { value: conditions.length === 1 ? conditions[0] : { op: draft.match, of: conditions } };
}

function kindOf(value: unknown): ValueKind {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return value === null ? 'null' : 'text';
}

function isOp(op: unknown): op is ConditionOp {
  return conditionOps.some(([name]) => name === op);
}

function toCondition(value: object): ConditionDraft | undefined {
  const op: unknown = Reflect.get(value, 'op');
  const field: unknown = Reflect.get(value, 'field');
  const given: unknown = Reflect.get(value, 'value');
  if (!isOp(op) || typeof field !== 'string') return undefined;
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  const kind = kindOf(values[0]);
  const mixed = values.some((part) => kindOf(part) !== kind || (op === 'in' && String(part).includes(',')));
  if (mixed || (values.length > 1 && kind !== 'text' && kind !== 'number')) return undefined;
  const text = kind === 'text' || kind === 'number' ? values.map(String).join(', ') : '';
  const draft = newCondition({ op, field, kind, text });
  // The builder would trim spaces around list entries.
  return JSON.stringify(readValue(draft)) === JSON.stringify(given) ? draft : undefined;
}

export function draftFilter(filter: object | null): FilterDraft {
  const json = filter === null ? '' : JSON.stringify(filter, null, 2);
  if (filter === null) return { mode: 'none', match: 'all', conditions: [newCondition()], json };
  const op: unknown = Reflect.get(filter, 'op');
  const of: unknown = Reflect.get(filter, 'of');
  const group = (op === 'all' || op === 'any') && Array.isArray(of);
  const parts: readonly object[] = group ? of : [filter];
  const conditions = parts.map(toCondition).filter((condition) => condition !== undefined);
  const whole = conditions.length === parts.length && (!group || parts.length > 1);
  return {
    mode: whole ? 'builder' : 'json',
    match: op === 'any' ? 'any' : 'all',
    conditions: whole ? conditions : [newCondition()],
    json,
  };
}

const words: ReadonlyMap<string, string> = new Map(conditionOps);

export function describeFilter(filter: object): string {
  const op = String(Reflect.get(filter, 'op'));
  const of: unknown = Reflect.get(filter, 'of');
  if (op === 'not') return `not (${typeof of === 'object' && of !== null ? describeFilter(of) : ''})`;
  if (Array.isArray(of)) {
    const parts: readonly object[] = of;
    const joined = parts.map((part) => (Reflect.has(part, 'of') ? `(${describeFilter(part)})` : describeFilter(part)));
    return joined.join(op === 'any' ? ' or ' : ' and ');
  }
  const field = String(Reflect.get(filter, 'field'));
  const value: unknown = Reflect.get(filter, 'value');
  if (op === 'exists') return `${field} ${value === true ? 'has a value' : 'has no value'}`;
  const shown = Array.isArray(value) ? value.map((part) => JSON.stringify(part)).join(', ') : JSON.stringify(value);
  return `${field} ${words.get(op) ?? op} ${shown}`;
}

export function fieldsOf(samples: readonly unknown[]): string[] {
  const fields = new Set(['type', 'company_id', 'created_at']);
  const walk = (value: unknown, path: string, depth: number): void => {
    if (depth > 8) return;
    if (Array.isArray(value)) return walk(value[0], path, depth);
    if (typeof value !== 'object' || value === null) return void fields.add(path);
    for (const [name, part] of Object.entries(value)) {
      if (/^\w{1,64}$/.test(name)) walk(part, `${path}.${name}`, depth + 1);
    }
  };
  for (const sample of samples) {
    if (typeof sample === 'object' && sample !== null) walk(Reflect.get(sample, 'data'), 'data', 0);
  }
  fields.delete('data');
  return [...fields].sort();
}
