import { type Field, fieldNamed, fieldOf, type HttpRoute, isInt32, type Operation } from '@finhook/contracts';
import { z } from 'zod';
import { formsOf, isNullable } from '../schema-fields.ts';
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
    return write(structLayout(query, inputOf(operation), type, `&finhook.${type}`), { ...style, width: Infinity });
  }
}

/** Lists have filters, and changes an Idempotency-Key. */
function hasParams({ kind, http, input }: Operation): boolean {
  return kind === 'mutation' || (http.method === 'GET' && hasFieldsOutsidePath(fieldOf(input, 'input'), http));
}

function hasFieldsOutsidePath({ fields = [] }: Field, { path }: HttpRoute): boolean {
  return fields.some(({ name }) => !path.includes(`{${name}}`));
}

function bodyOf({ operation, body, hasBody }: ExampleCall, name: string): [before: string, argument?: Layout] {
  if (!hasBody) return [''];
  const input = inputOf(operation);
  if (operation.rows !== undefined) {
    const batch = write(structLayout(body, input, `${name}Batch`), { ...style, width: 0 });
    return [`var body finhook.${name}Body\nerr = body.From${name}Batch(${batch})\n${returnError}`, 'body'];
  }
  // The generated type of a body without fields is a map, which may be nil.
  return ['', hasFieldsOutsidePath(input, operation.http) ? structLayout(body, input, `${name}Body`) : 'nil'];
}

function inputOf({ input, variant, example }: Operation): Field {
  return fieldOf(variant?.(example) ?? input, 'input');
}

/** The form of a value in the Go client, and the name of its type. */
interface Typed {
  form: Field;
  type: string;
}

function typed(field: Field, place: string): Typed {
  const [form = field, ...others] = formsOf(field);
  // The OpenAPI document, from which the client is generated, has no type for a union with a list.
  const isAny = others.some(({ type }) => type === 'list');
  return { form: isAny ? { ...form, type: 'json' } : form, type: field.component?.name ?? place };
}

function structLayout(values: object, object: Field, type: string, open = `finhook.${type}`): BracketedList {
  const items = Object.entries(values).map(([name, value]: [string, unknown]) => {
    const field = fieldNamed(object, name);
    if (field === undefined) throw new Error(`${type} has no field ${name}.`);
    const isPointer = !field.required || isNullable(field);
    return { label: `${goName(name)}: `, value: valueLayout(value, typed(field, type + goName(name)), isPointer) };
  });
  return { open: `${open}{`, close: '}', items, expanded: items.length > 1 };
}

function valueLayout(value: unknown, field: Typed, isPointer: boolean): Layout {
  const { form, type } = field;
  if (Array.isArray(value)) {
    const item = typed(form.item ?? json, type);
    const items = value.map((element: unknown) => ({ label: '', value: elided(valueLayout(element, item, false)) }));
    return { open: `[]${goType(item)}{`, close: '}', items };
  }
  if (typeof value === 'object' && value !== null)
    return form.type === 'object'
      ? structLayout(value, form, type, `${isPointer ? '&' : ''}finhook.${type}`)
      : mapLayout(value, form.item);
  const text = scalarText(value, field);
  if (!isPointer || value === null || form.type === 'json') return text;
  return typeof value === 'number' ? `finhook.Ptr[${goType(field)}](${text})` : `finhook.Ptr(${text})`;
}

/** In a slice, the type of an element is that of the slice. */
function elided(layout: Layout): Layout {
  return typeof layout === 'string' ? layout : { ...layout, open: layout.open.replace(/^finhook\.\w+(?=\{)/, '') };
}

function mapLayout(values: object, item = json): BracketedList {
  const field = typed(item, '');
  const items = Object.entries(values).map(([name, value]: [string, unknown]) => ({
    label: `${JSON.stringify(name)}: `,
    value: valueLayout(value, field, false),
  }));
  return { open: `map[string]${goType(field)}{`, close: '}', items };
}

const json = fieldOf(z.unknown(), 'input');

function scalarText(value: unknown, { form, type }: Typed): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return value === null ? 'nil' : JSON.stringify(value);
  if (form.type === 'enum') return `finhook.${type}${goName(value)}`;
  if (form.type !== 'instant') return JSON.stringify(value);
  const at = new Date(value);
  const parts = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()];
  return `time.Date(${[...parts, at.getUTCSeconds(), 0].join(', ')}, time.UTC)`;
}

function goType({ form: { type: kind, min, max }, type }: Typed): string {
  switch (kind) {
    case 'object':
    case 'enum':
      return `finhook.${type}`;
    case 'instant':
      return 'time.Time';
    case 'text':
    case 'date':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return isInt32(min, max) ? 'int32' : 'int64';
    case 'number':
      return 'float64';
    default:
      return 'any';
  }
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
