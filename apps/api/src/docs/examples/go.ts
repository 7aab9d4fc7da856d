import { completeJsonSchema, type Operation } from '@finhook/contracts';
import { z } from 'zod';
import { camelCase, type ExampleCall, numberText } from './example-call.ts';
import { type BracketedList, type Layout, type LayoutStyle, write } from './layout.ts';

const setUp = `client, err := finhook.New(os.Getenv("FINHOOK_API_KEY"), finhook.WithBaseURL(os.Getenv("FINHOOK_URL")))
if err != nil {
	return err
}
`;
const returnError = 'if err != nil {\n\treturn err\n}\n';
const style: LayoutStyle = { indent: '\t', width: 110, aligned: true };

export function goExample(call: ExampleCall): string {
  const { operation, result, hasId } = call;
  const name = goName(operation.id);
  const value = result === null ? null : camelCase(result);
  const statement = `${value === null ? 'err =' : `${value}, err :=`} client.${name}`;
  const [before, body] = bodyOf(call, name);
  const head = argumentsBeforeBody(call, name);
  const list: BracketedList =
    body === undefined || typeof body === 'string'
      ? { open: `(${[...head, ...(body === undefined ? [] : [body])].join(', ')}`, close: ')', items: [] }
      : { ...body, open: `(${head.join(', ')}, ${body.open}`, close: `${body.close})` };
  const text = `${statement}${write(list, style, statement.length)}\n${returnError}`;
  const print = hasId ? `fmt.Println(${value}.ID)\n` : `fmt.Printf("%+v\\n", *${value})\n`;
  return `${setUp}${before}${text}${value === null ? '' : print}`.trimEnd();
}

function argumentsBeforeBody({ operation, path, query }: ExampleCall, name: string): string[] {
  const ids = path.map(([, value]) => JSON.stringify(value));
  return ['ctx', ...ids, ...(hasParams(operation) ? [params()] : [])];

  function params(): string {
    if (Object.keys(query).length === 0) return 'nil';
    const type = `${name}Params`;
    return write(structLayout(query, inputSchema(operation), type, `&finhook.${type}`), { ...style, width: Infinity });
  }
}

/** The filters of a list, and the Idempotency-Key of a change. */
function hasParams({ kind, http, input }: Operation): boolean {
  if (kind === 'mutation') return true;
  const names = http.method === 'GET' && input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  return names.some((name) => !http.path.includes(`{${name}}`));
}

/** Returns the statements before the call, and its last argument. */
function bodyOf({ operation, body, hasBody }: ExampleCall, name: string): [before: string, argument?: Layout] {
  if (!hasBody) return [''];
  const schema = inputSchema(operation);
  if (operation.rows !== undefined) {
    const batch = write(structLayout(body, schema, `${name}Batch`), { ...style, width: 0 });
    return [`var body finhook.${name}Body\nerr = body.From${name}Batch(${batch})\n${returnError}`, 'body'];
  }
  const hasFields = Object.keys(schema.properties ?? {}).some((field) => !operation.http.path.includes(`{${field}}`));
  // A body without fields is a map.
  return hasFields ? ['', structLayout(body, schema, `${name}Body`)] : ['', 'nil'];
}

type Schema = z.core.JSONSchema.BaseSchema;

function inputSchema({ input, variant, example }: Operation): Schema {
  return z.toJSONSchema(variant?.(example) ?? input, {
    io: 'input',
    unrepresentable: 'any',
    override: completeJsonSchema,
  });
}

/** A field's schema without null, and the name of its type, which follows from the place of the field or is its own. */
interface Field {
  schema: Schema;
  type: string;
  definitions: Record<string, Schema>;
}

function fieldOf(schema: Schema, type: string, definitions: Record<string, Schema>): Field {
  const [inner] = (schema.anyOf ?? []).filter((member) => member.type !== 'null');
  const found = inner ?? schema;
  if (found.$ref === undefined) return { schema: found, type, definitions };
  const name = found.$ref.slice(found.$ref.lastIndexOf('/') + 1);
  return { schema: definitions[name] ?? {}, type: name, definitions };
}

function structLayout(
  fields: object,
  schema: Schema,
  type: string,
  open = `finhook.${type}`,
  definitions: Record<string, Schema> = asSchemas(schema.$defs),
): BracketedList {
  const items = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    const field = asSchemas(schema.properties)[name];
    if (field === undefined) throw new Error(`${type} has no field ${name}.`);
    const isPointer = !schema.required?.includes(name) || isNullable(field);
    return {
      label: `${goName(name)}: `,
      value: valueLayout(value, fieldOf(field, type + goName(name), definitions), isPointer),
    };
  });
  return { open: `${open}{`, close: '}', items, expanded: items.length > 1 };
}

const isNullable = ({ anyOf = [], type }: Schema): boolean => [type].flat().includes('null') || anyOf.some(isNullable);

function valueLayout(value: unknown, field: Field, isPointer: boolean): Layout {
  const { schema, type, definitions } = field;
  if (Array.isArray(value)) {
    const item = fieldOf(asSchemas({ items: schema.items })['items'] ?? {}, type, definitions);
    const items = value.map((element: unknown) => ({ label: '', value: elided(valueLayout(element, item, false)) }));
    return { open: `[]${goType(item)}{`, close: '}', items };
  }
  if (typeof value === 'object' && value !== null) {
    if (schema.properties !== undefined)
      return structLayout(value, schema, type, `${isPointer ? '&' : ''}finhook.${type}`, definitions);
    return mapLayout(value, asSchemas({ values: schema.additionalProperties })['values']);
  }
  const text = scalarText(value, field);
  if (!isPointer || value === null || !isTyped(schema)) return text;
  return typeof value === 'number' ? `finhook.Ptr[${goType(field)}](${text})` : `finhook.Ptr(${text})`;
}

/** In a slice, the type of an element is that of the slice. */
function elided(layout: Layout): Layout {
  return typeof layout === 'string' ? layout : { ...layout, open: layout.open.replace(/^finhook\.\w+(?=\{)/, '') };
}

/** Free JSON without a schema, or a map of the one that its values have. */
function mapLayout(fields: object, values: Schema = {}): BracketedList {
  const field: Field = { schema: values, type: '', definitions: {} };
  const items = Object.entries(fields).map(([name, value]: [string, unknown]) => ({
    label: `${JSON.stringify(name)}: `,
    value: valueLayout(value, field, false),
  }));
  return { open: `map[string]${goType(field)}{`, close: '}', items };
}

function scalarText(value: unknown, { schema, type }: Field): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return value === null ? 'nil' : JSON.stringify(value);
  if (schema.enum !== undefined) return `finhook.${type}${goName(value)}`;
  if (schema.format !== 'date-time') return JSON.stringify(value);
  const at = new Date(value);
  const parts = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()];
  return `time.Date(${[...parts, at.getUTCSeconds(), 0].join(', ')}, time.UTC)`;
}

function isTyped({ type }: Schema): boolean {
  return type !== undefined;
}

function goType({ schema, type }: Field): string {
  const [name] = [schema.type].flat().filter((each) => each !== 'null');
  if (schema.properties !== undefined || schema.enum !== undefined) return `finhook.${type}`;
  if (schema.format === 'date-time') return 'time.Time';
  if (name === 'string') return 'string';
  if (name === 'boolean') return 'bool';
  if (name === 'integer') return schema.format ?? 'int64';
  return name === 'number' ? 'float64' : 'any';
}

const initialisms = new Set([
  'api',
  'db',
  'html',
  'http',
  'https',
  'id',
  'ip',
  'json',
  'sql',
  'tls',
  'ttl',
  'url',
  'uuid',
]);

/** `cash.balances.upsert` is `CashBalancesUpsert`, `actions_24h` is `Actions24H`, `key_id` is `KeyID`. */
function goName(name: string): string {
  return name
    .split(/[._-]|(?=[A-Z])/)
    .map((word) =>
      initialisms.has(word.toLowerCase()) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('')
    .replaceAll(/\d[a-z]/g, (text) => text.toUpperCase());
}

// zod never generates a boolean schema, which allows everything or nothing.
function asSchemas(schemas: Record<string, unknown> | undefined): Record<string, Schema> {
  return (schemas ?? {}) as Record<string, Schema>;
}
