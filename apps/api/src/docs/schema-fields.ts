import { type Field, fieldsOf } from '@finhook/contracts';
import { code, codes } from './markdown-text.ts';

export interface FieldRow {
  /** Its path, as `lines[].balance_cents`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

const MAX_DEPTH = 6;

/** The forms of a value besides null. */
export function formsOf(field: Field): Field[] {
  return field.type === 'union' ? (field.variants ?? []).flatMap(formsOf).filter((form) => !isNull(form)) : [field];
}

function isNull({ type, constant }: Field): boolean {
  return type === 'constant' && constant === null;
}

export function isNullable(field: Field): boolean {
  return field.nullable || isNull(field) || field.variants?.some(isNullable) === true;
}

/** Every field of an object and of the objects in it. */
export function rowsOf(object: Field, prefix = '', depth = 0): FieldRow[] {
  if (depth > MAX_DEPTH) return [];
  // Reversed: the fields of a condition precede those of a group of conditions, and the first member describes them.
  return fieldsOf({ ...object, variants: object.variants?.toReversed() }).flatMap((field) => {
    const name = `${prefix}${field.name}`;
    return [rowOf(field, name), ...formsOf(field).flatMap((form) => rowsInside(form, name, depth + 1))];
  });
}

export function rowOf(field: Field, name = field.name): FieldRow {
  const { required, deprecated, description = '' } = field;
  return { name, type: deprecated ? `${typeOf(field)}, deprecated` : typeOf(field), required, description };
}

function rowsInside(form: Field, name: string, depth: number): FieldRow[] {
  if (form.type === 'object') return rowsOf(form, `${name}.`, depth);
  return form.item ? rowsOf(form.item, `${name}${form.type === 'list' ? '[].' : '.*.'}`, depth) : [];
}

/** For people: `string, 1 to 255 characters, or null`. */
function typeOf(field: Field): string {
  const names = new Set(formsOf(field).map(typeOfForm));
  return [...names].join(' or ') + (isNullable(field) ? ', or null' : '');
}

function typeOfForm(form: Field): string {
  const { type, item, options = [], min, max } = form;
  switch (type) {
    case 'constant':
      return code(JSON.stringify(form.constant));
    case 'enum':
      return `one of ${codes(options)}`;
    case 'list':
      return `array of ${item ? typeOf(item) : 'values'}${limits(range(min, max, ' items'), form)}`;
    case 'map':
      return `map of ${item ? typeOf(item) : 'values'}`;
    case 'json':
      return 'any JSON value';
    case 'text':
      return `string${limits(range(min, max, ' characters'), form)}`;
    default:
      return `${type === 'instant' ? 'timestamp' : type}${limits(range(min, max, ''), form)}`;
  }
}

function limits(bounds: string, field: Field): string {
  const initial = field.default === undefined ? '' : `default ${code(JSON.stringify(field.default))}`;
  return [bounds, initial]
    .filter(Boolean)
    .map((limit) => `, ${limit}`)
    .join('');
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min === undefined || min === 0 ? '' : `at least ${min}${unit}`;
  if (min === undefined || (min === 0 && unit !== '')) return `at most ${max}${unit}`;
  return min === max ? `${max}${unit}` : `${min} to ${max}${unit}`;
}
