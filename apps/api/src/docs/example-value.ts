import { allEventTypes, eventDefinition, type Field, fieldNamed, isRecord } from '@finhook/contracts';
import { formsOf, isNullable } from './schema-fields.ts';

const MAX_DEPTH = 5;

type Values = Readonly<Record<string, unknown>>;

/**
 * A valid value, made of examples in the schema, an event's sample of the same type of object, and `given` for the
 * outermost fields. It omits optional fields that have none of these.
 */
export function exampleOf(field: Field, given: Values): unknown {
  return valueOf(field, given, sampleObjects(), 0);
}

type Objects = ReadonlyMap<unknown, Values>;

function valueOf(field: Field, known: Values, objects: Objects, depth: number): unknown {
  const { name, examples = [], description = '' } = field;
  const [form = field] = formsOf(field);
  if (fits(known[name], form)) return known[name];
  const [example] = [...examples, ...(form.examples ?? [])];
  if (example !== undefined) return example;
  const [, named] = /for example `([^`]+)`/.exec(description) ?? [];
  if (fits(named, form)) return named;
  return isNullable(field) ? null : plainValue(form, known, objects, depth);
}

function plainValue(form: Field, known: Values, objects: Objects, depth: number): unknown {
  const { type, name, item, min = 0 } = form;
  switch (type) {
    case 'constant':
      return form.constant;
    case 'enum':
      return form.options?.[0];
    case 'text':
      return '…'.padEnd(min, '…');
    case 'instant':
      return '2026-03-01T09:30:00.000Z';
    case 'date':
      return '2026-03-31';
    case 'integer':
    case 'number':
      return Math.max(min, 0);
    case 'boolean':
      return false;
    case 'list':
      return name === 'warnings' || depth > MAX_DEPTH || !item ? [] : [valueOf(item, {}, objects, depth + 1)];
    default:
      return objectValue(form, name === '' ? known : {}, objects, depth);
  }
}

function objectValue(object: Field, given: Values, objects: Objects, depth: number): object {
  const known = { ...objects.get(fieldNamed(object, 'object')?.constant), ...given };
  const shown = (object.fields ?? []).filter(({ name, required }) => required || name in known);
  return Object.fromEntries(shown.map((field) => [field.name, valueOf(field, known, objects, depth + 1)]));
}

/** Only scalars: fields of the same name may have different objects. */
function fits(value: unknown, { type, options }: Field): boolean {
  if (type === 'enum') return typeof value === 'string' && options?.includes(value) === true;
  if (typeof value === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(value));
  if (typeof value === 'string') return type === 'text' || type === 'date' || type === 'instant';
  return typeof value === 'boolean' && type === 'boolean';
}

/** The records in the samples of events, by type. */
function sampleObjects(): ReadonlyMap<unknown, Values> {
  const found = new Map<unknown, Values>();
  const collect = (value: unknown): void => {
    if (!isRecord(value)) return;
    const { object } = value;
    if (object !== undefined && !found.has(object)) found.set(object, value);
    Object.values(value).forEach(collect);
  };
  for (const type of allEventTypes) collect(eventDefinition(type).sample);
  return found;
}
