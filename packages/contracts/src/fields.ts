import { z } from 'zod';
import { hasCaselessKeys, isSecret } from './scalars.ts';

export type FieldType =
  | 'text'
  | 'date'
  | 'instant'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'constant'
  | 'list'
  | 'object'
  | 'map'
  | 'union'
  | 'json';

/** Requests may omit a field that has a default; responses contain it. */
export type Direction = 'input' | 'output';

/** A schema as plain data. Everything but validation and JSON Schema reads schemas in this form. */
export interface Field {
  /** Empty for a value that is not a field of an object. */
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly nullable: boolean;
  /** Values of an enum. */
  readonly options?: readonly string[] | undefined;
  readonly constant?: unknown;
  readonly default?: unknown;
  /** Bounds of a number, a text's length or a list's size; absent if they are those of every safe integer. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Unit of an integer; money is in minor units of its currency. */
  readonly unit?: 'minor_units' | 'milliseconds' | 'seconds' | 'days' | undefined;
  readonly description?: string | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly deprecated: boolean;
  readonly secret: boolean;
  /** Of a map: keys that differ in upper and lower case only are the same. */
  readonly caselessKeys?: true | undefined;
  /** The schema's name and description in the OpenAPI document. */
  readonly component?: { name: string; description: string | undefined } | undefined;
  readonly fields?: readonly Field[] | undefined;
  /** Item of a list, value of a map, or additional field of an object. */
  readonly item?: Field | undefined;
  /** Members of a union. Null is a constant. */
  readonly variants?: readonly Field[] | undefined;
  /** The field whose constant tells the members of a union apart. */
  readonly discriminator?: string | undefined;
}

const units = [
  [/_cents$/, 'minor_units'],
  [/_ms$/, 'milliseconds'],
  [/_seconds$/, 'seconds'],
  [/_in_days$/, 'days'],
] as const;

const cached = { input: new WeakMap<z.core.$ZodType, Field>(), output: new WeakMap<z.core.$ZodType, Field>() };

export function fieldOf(schema: z.core.$ZodType, direction: Direction, name = ''): Field {
  let field = cached[direction].get(schema);
  if (field === undefined) {
    field = describe(schema, direction);
    cached[direction].set(schema, field);
  }
  if (name === '') return field;
  const unit = field.type === 'integer' ? units.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  return { ...field, name, unit };
}

function describe(schema: z.core.$ZodType, direction: Direction): Field {
  const value: Value = unwrapped(schema, direction) ?? valueOf(schema, direction);
  const { description, examples, deprecated, maximum } = z.globalRegistry.get(schema) ?? {};
  return {
    name: '',
    required: true,
    nullable: false,
    ...value,
    secret: isSecret(schema) || value.secret === true,
    caselessKeys: hasCaselessKeys(schema) || value.caselessKeys,
    max: typeof maximum === 'number' ? maximum : value.max,
    description: description ?? value.description,
    examples: Array.isArray(examples) ? examples : value.examples,
    deprecated: deprecated === true || value.deprecated === true,
    component: componentOf(schema) ?? value.component,
  };
}

function unwrapped(schema: z.core.$ZodType, direction: Direction): Field | undefined {
  const inside = (inner: z.core.$ZodType) => fieldOf(inner, direction);
  if (schema instanceof z.ZodNullable) return { ...inside(schema.unwrap()), nullable: true };
  if (schema instanceof z.ZodOptional) return { ...inside(schema.unwrap()), required: false };
  if (schema instanceof z.ZodNonOptional) return { ...inside(schema.unwrap()), required: true };
  if (!(schema instanceof z.ZodDefault)) return undefined;
  return { ...inside(schema.unwrap()), required: direction === 'output', default: schema.def.defaultValue };
}

/** The name of the schema, or of the one that it refines or describes. */
function componentOf(schema: z.core.$ZodType): Field['component'] {
  const { id, description } = z.globalRegistry.get(schema) ?? {};
  if (id !== undefined) return { name: id, description };
  return schema._zod.parent && componentOf(schema._zod.parent);
}

type Value = Pick<Field, 'type'> & Partial<Field>;

function valueOf(schema: z.core.$ZodType, direction: Direction): Value {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return { type: textTypeOf(schema), ...boundsOf(schema) };
  if (schema instanceof z.ZodNumber) return { type: schema.isInt ? 'integer' : 'number', ...boundsOf(schema) };
  if (schema instanceof z.ZodBoolean) return { type: 'boolean' };
  if (schema instanceof z.ZodEnum) return { type: 'enum', options: schema.options.map(String) };
  if (schema instanceof z.ZodLiteral) return constantOf(schema);
  if (schema instanceof z.ZodNull) return { type: 'constant', constant: null };
  if (schema instanceof z.ZodUnknown) return { type: 'json' };
  const inside = (inner: z.core.$ZodType) => fieldOf(inner, direction);
  if (schema instanceof z.ZodArray) return { type: 'list', item: inside(schema.element), ...boundsOf(schema) };
  if (schema instanceof z.ZodRecord) return { type: 'map', item: inside(schema.valueType) };
  if (schema instanceof z.ZodObject) return objectOf(schema, direction);
  if (schema instanceof z.ZodUnion) {
    const discriminator = schema instanceof z.ZodDiscriminatedUnion ? schema.def.discriminator : undefined;
    return { type: 'union', variants: schema.options.map(inside), discriminator };
  }
  throw new Error(`Fields do not describe a schema of type ${schema._zod.def.type}.`);
}

function constantOf({ values: [constant, ...others] }: { values: Iterable<unknown> }): Value {
  if (others.length > 0) throw new Error('Fields do not describe a literal of several values: use an enum.');
  return { type: 'constant', constant };
}

function textTypeOf(schema: z.core.$ZodType): FieldType {
  const format: unknown = z.globalRegistry.get(schema)?.['format'] ?? Reflect.get(schema._zod.def, 'format');
  return format === 'date' ? 'date' : format === 'date-time' ? 'instant' : 'text';
}

function objectOf({ shape, def: { catchall } }: z.ZodObject, direction: Direction): Value {
  const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
  return {
    type: 'object',
    fields: Object.entries<z.core.$ZodType>(shape).map(([name, field]) => fieldOf(field, direction, name)),
    item: isOpen ? fieldOf(catchall, direction) : undefined,
  };
}

/** Without exclusive bounds, which `min` and `max` cannot express. */
function boundsOf(schema: z.core.$ZodType): Pick<Field, 'min' | 'max'> {
  let [min, max]: (number | undefined)[] = [];
  for (const check of schema._zod.def.checks ?? []) {
    if (check instanceof z.core.$ZodCheckMinLength) min = check._zod.def.minimum;
    if (check instanceof z.core.$ZodCheckMaxLength) max = check._zod.def.maximum;
    if (check instanceof z.core.$ZodCheckGreaterThan && check._zod.def.inclusive) min = Number(check._zod.def.value);
    if (check instanceof z.core.$ZodCheckLessThan && check._zod.def.inclusive) max = Number(check._zod.def.value);
  }
  return { min, max };
}

/** The fields of an object or of all objects of a union, each as in the last object that has it. */
export function fieldsOf(field: Field): readonly Field[] {
  const objects = objectsOf(field);
  if (objects.length === 1) return objects[0]?.fields ?? [];
  const merged = new Map(objects.flatMap(({ fields = [] }) => fields.map((each) => [each.name, each])));
  const isRequired = (name: string) => objects.every((object) => fieldNamed(object, name)?.required === true);
  return [...merged.values()].map((each) => ({ ...each, required: isRequired(each.name) }));
}

function objectsOf(field: Field): Field[] {
  if (field.type === 'union') return (field.variants ?? []).flatMap(objectsOf);
  return field.type === 'object' ? [field] : [];
}

export function fieldNamed(field: Field, name: string): Field | undefined {
  return field.fields?.find((each) => each.name === name);
}

/** True if a value of the field is a secret or may contain one. */
export function holdsSecret({ secret, fields = [], item, variants = [] }: Field): boolean {
  return secret || [...fields, ...variants].some(holdsSecret) || (item !== undefined && holdsSecret(item));
}
