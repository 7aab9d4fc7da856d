import { z } from 'zod';
import type { AnyEventType } from './events/index.ts';
import type { Operation } from './operation.ts';
import { type Operations, operationList } from './operations/index.ts';
import type { Permission, Scope } from './records/api-key.ts';
import { isSecret } from './scalars.ts';

export type FieldType =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'instant'
  | 'enum'
  | 'list'
  | 'object'
  | 'text_or_object'
  | 'json';

export interface CatalogueField {
  name: string;
  type: FieldType;
  required?: true | undefined;
  nullable?: true | undefined;
  options?: readonly string[] | undefined;
  /** Type of a list's items, if they are not text. */
  items?: FieldType | undefined;
  /** Least and greatest value of a number, length of a text, or number of items of a list. */
  min?: number | undefined;
  max?: number | undefined;
  /** Unit of an integer; money is in minor units of its currency. */
  unit?: 'minor_units' | 'milliseconds' | 'seconds' | 'days' | undefined;
  description?: string | undefined;
}

export interface CatalogueOperation {
  id: string;
  group: string;
  kind: Operation['kind'];
  summary: string;
  http: { method: string; path: string };
  permission: Permission | undefined;
  scopes: readonly Scope[];
  /** Event types that a call emits, or that a job emits later because of it. */
  emits: readonly AnyEventType[];
  secret?: true | undefined;
  input: readonly CatalogueField[];
}

export { derivedFrom, jobEvents } from './operations/groups.ts';
export { systemActions } from './records/activity.ts';

type Join<Path extends string, Name extends string> = Path extends '' ? Name : `${Path}.${Name}`;
type IsMutation<Op> = Op extends { kind: 'mutation' }
  ? true
  : Op extends { kind: 'query' } | { http: { method: 'GET' } }
    ? false
    : true;
type IdIn<Tree, Path extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends { http: object }
    ? Join<Path, Name>
    : IdIn<Tree[Name], Join<Path, Name>>;
}[keyof Tree & string];
type MutationIn<Tree, Path extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends { http: object }
    ? IsMutation<Tree[Name]> extends true
      ? Join<Path, Name>
      : never
    : MutationIn<Tree[Name], Join<Path, Name>>;
}[keyof Tree & string];

export type OperationId = IdIn<Operations>;
export type MutationId = MutationIn<Operations>;

const units = [
  [/_cents$/, 'minor_units'],
  [/_ms$/, 'milliseconds'],
  [/_seconds$/, 'seconds'],
  [/_in_days$/, 'days'],
] as const;

interface Schema {
  $ref?: string | undefined;
  anyOf?: readonly Schema[] | undefined;
  type?: string | readonly string[] | undefined;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  description?: string;
  $defs?: Readonly<Record<string, Schema>>;
}
type Defs = Schema['$defs'];

// zod generates JSON Schema, whose type also allows `true` and `false` for a schema, which zod never generates.
function jsonSchemaOf(input: z.ZodType): Schema {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** Resolves a reference or `T | null` to its schema, and returns if null is allowed. */
function resolve(schema: Schema, defs: Defs): { schema: Schema; nullable: boolean } {
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name !== undefined) return resolve({ ...defs?.[name], ...schema, $ref: undefined }, defs);
  if (typeof schema.type === 'object') {
    const type = schema.type.find((each) => each !== 'null');
    return { schema: { ...schema, type }, nullable: schema.type.includes('null') };
  }
  const [inner, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const nullable = schema.anyOf?.some(({ type }) => type === 'null') === true;
  if (inner === undefined || others.length > 0) return { schema, nullable };
  return { schema: { ...resolve(inner, defs).schema, ...schema, anyOf: undefined }, nullable };
}

function typeOf({ type, format, enum: values, anyOf }: Schema): FieldType {
  if (values !== undefined) return 'enum';
  // A union with a text has objects besides: no operation takes another.
  if (anyOf?.[0]?.type === 'string') return 'text_or_object';
  switch (type) {
    case 'string':
      return format === 'date' ? 'date' : format === 'date-time' ? 'instant' : 'text';
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
      return type;
    case 'array':
      return 'list';
    default:
      return 'json';
  }
}

function optionsOf({ enum: values, items }: Schema, defs: Defs): readonly string[] | undefined {
  if (values !== undefined) return values.map(String);
  return items && optionsOf(resolve(items, defs).schema, defs);
}

function itemTypeOf({ items }: Schema, defs: Defs): FieldType | undefined {
  const type = items && typeOf(resolve(items, defs).schema);
  return type === 'text' ? undefined : type;
}

function boundOf(limit: number | undefined): number | undefined {
  return limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function fieldOf(name: string, given: Schema, isRequired: boolean, defs: Defs): CatalogueField {
  const { schema, nullable } = resolve(given, defs);
  const type = typeOf(schema);
  return {
    name,
    type,
    required: isRequired || undefined,
    nullable: nullable || undefined,
    options: optionsOf(schema, defs),
    items: itemTypeOf(schema, defs),
    min: boundOf(schema.minLength ?? schema.minItems ?? schema.minimum),
    max: boundOf(schema.maxLength ?? schema.maxItems ?? schema.maximum),
    unit: type === 'integer' ? units.find(([pattern]) => pattern.test(name))?.[1] : undefined,
    description: schema.description,
  };
}

function fieldsOf(input: z.ZodType): CatalogueField[] {
  const { $defs: defs, ...schema } = jsonSchemaOf(input);
  const forms = (schema.anyOf ?? [schema]).map((form) => resolve(form, defs).schema);
  const isRequired = (name: string): boolean => forms.every(({ required }) => required?.includes(name) === true);
  const properties = new Map(forms.flatMap((form) => Object.entries(form.properties ?? {})));
  return [...properties].map(([name, property]) => fieldOf(name, property, isRequired(name), defs));
}

function holdsSecret(input: z.ZodType): boolean {
  return input instanceof z.ZodObject && Object.values(input.shape).some(isSecret);
}

/** The operations table as plain JSON, for programs that must not load the schemas. */
export function catalogue(): readonly CatalogueOperation[] {
  return operationList.map((operation) => ({
    id: operation.id,
    group: operation.id.split('.')[0] ?? '',
    kind: operation.kind,
    summary: operation.summary,
    http: { method: operation.http.method, path: operation.http.path },
    permission: operation.permission,
    scopes: operation.scopes,
    emits: [...operation.emits, ...(operation.emitsLater ?? [])],
    secret: operation.secretOutput === true || holdsSecret(operation.input) || undefined,
    input: fieldsOf(operation.input),
  }));
}
