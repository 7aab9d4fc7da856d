import { code, codes } from './markdown-text.ts';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  description?: string;
  deprecated?: boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

export interface Field {
  /** Its path, as `lines[].balance_cents`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

const MAX_DEPTH = 6;

/** A reference with its own description keeps it. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const { $ref, ...own } = schema;
  const name = $ref?.split('/').at(-1);
  return name === undefined ? schema : { ...resolve(schemas[name] ?? {}, schemas), ...own };
}

/** The forms of a value besides null. */
export function formsOf(schema: Schema, schemas: Schemas): Schema[] {
  const own = resolve(schema, schemas);
  const forms = own.anyOf ?? own.oneOf;
  return forms === undefined
    ? [own]
    : forms.flatMap((form) => formsOf(form, schemas)).filter((form) => form.type !== 'null');
}

export function isNullable(schema: Schema, schemas: Schemas): boolean {
  const { type, anyOf, oneOf, const: value } = resolve(schema, schemas);
  if (type === 'null' || value === null || (Array.isArray(type) && type.includes('null'))) return true;
  return (anyOf ?? oneOf)?.some((form) => isNullable(form, schemas)) === true;
}

/** Every field of an object and of the objects in it, in the order of the schema. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 0): Field[] {
  if (depth > MAX_DEPTH) return [];
  const forms = formsOf(schema, schemas).filter(({ properties }) => properties !== undefined);
  const properties = new Map(forms.toReversed().flatMap((form) => Object.entries(form.properties ?? {})));
  return [...properties].flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const { description = '', deprecated } = resolve(property, schemas);
    const field: Field = {
      name,
      type: deprecated ? `${typeOf(property, schemas)}, deprecated` : typeOf(property, schemas),
      required: forms.every(({ required = [] }) => required.includes(key)),
      description,
    };
    return [field, ...fieldsInside(property, schemas, name, depth)];
  });
}

function fieldsInside(schema: Schema, schemas: Schemas, name: string, depth: number): Field[] {
  return formsOf(schema, schemas).flatMap((form) => {
    if (form.items) return fieldsOf(form.items, schemas, `${name}[].`, depth + 1);
    if (isSchema(form.additionalProperties))
      return fieldsOf(form.additionalProperties, schemas, `${name}.*.`, depth + 1);
    return form.properties ? fieldsOf({ ...form }, schemas, `${name}.`, depth + 1) : [];
  });
}

function isSchema(value: Schema | boolean | undefined): value is Schema {
  return typeof value === 'object';
}

/** For people: `string, 1 to 255 characters, or null`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const names = new Set(formsOf(schema, schemas).map((form) => typeOfForm(form, schemas)));
  return [...names].join(' or ') + (isNullable(schema, schemas) ? ', or null' : '');
}

function typeOfForm(form: Schema, schemas: Schemas): string {
  if (form.const !== undefined) return code(JSON.stringify(form.const));
  if (form.enum) return `one of ${codes(form.enum.filter((value) => value !== null).map(String))}`;
  const type = [form.type].flat().find((name) => name !== 'null');
  if (type === 'array') return `array of ${form.items ? typeOf(form.items, schemas) : 'values'}${limitsOf(form)}`;
  if (type === 'object' && isSchema(form.additionalProperties) && !form.properties) {
    return `map of ${typeOf(form.additionalProperties, schemas)}`;
  }
  if (type === undefined) return 'any JSON value';
  const name = form.format === 'date-time' ? 'timestamp' : form.format === 'date' ? 'date' : type;
  return name + limitsOf(form);
}

function limitsOf(form: Schema): string {
  const limits = [
    range(form.minLength, form.maxLength, ' characters'),
    range(form.minItems, form.maxItems, ' items'),
    range(meaningful(form.minimum), meaningful(form.maximum), ''),
    form.default === undefined ? '' : `default ${code(JSON.stringify(form.default))}`,
  ];
  return limits
    .filter(Boolean)
    .map((limit) => `, ${limit}`)
    .join('');
}

/** The bounds of every safe integer say nothing. */
function meaningful(limit: number | undefined): number | undefined {
  return limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min === undefined || min === 0 ? '' : `at least ${min}${unit}`;
  if (min === undefined || (min === 0 && unit !== '')) return `at most ${max}${unit}`;
  return min === max ? `${max}${unit}` : `${min} to ${max}${unit}`;
}
