/** The part of JSON Schema that zod generates for the contracts. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly default?: unknown;
}

/** A record that is sent may have `undefined` where a field is optional; one that is received has no such field. */
export type Direction = 'input' | 'output';

/** A comment as editors show it, with the indentation of what it is about. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

export function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value);
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

const union = (members: readonly string[]): string => [...new Set(members)].join(' | ');

/** The type of a schema; named schemas are referred to by their name. */
export function toType(schema: Schema, direction: Direction, indent = ''): string {
  const { $ref, anyOf, oneOf = anyOf, type } = schema;
  if ($ref !== undefined) return $ref.replace('#/$defs/', '');
  if ('const' in schema) return quote(schema.const);
  if (schema.enum) return union(schema.enum.map(quote));
  if (oneOf) return union(oneOf.map((member) => toType(member, direction, indent)));
  if (typeof type === 'object') return union(type.map((each) => toType({ ...schema, type: each }, direction, indent)));
  switch (type) {
    case undefined:
      return 'unknown';
    case 'integer':
      return 'number';
    case 'array': {
      const item = toType(schema.items ?? {}, direction, indent);
      return item.includes('|') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return toObjectType(schema, direction, indent);
    default:
      return type;
  }
}

function toObjectType(schema: Schema, direction: Direction, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const isOptional = !required.includes(name);
    const value = toType(property, direction, inner);
    const type = isOptional && direction === 'input' ? `${value} | undefined` : value;
    const fallback = property.default === undefined ? '' : ` Default: \`${JSON.stringify(property.default)}\`.`;
    const key = isIdentifier(name) ? name : quote(name);
    return `${comment(`${property.description ?? ''}${fallback}`.trim(), inner)}${inner}${key}${isOptional ? '?' : ''}: ${type};\n`;
  });
  const rest = typeof additionalProperties === 'object' ? toType(additionalProperties, direction, inner) : undefined;
  if (lines.length === 0) return `Record<string, ${rest ?? 'never'}>`;
  if (rest !== undefined) lines.push(`${inner}[key: string]: ${rest};\n`);
  return `{\n${lines.join('')}${indent}}`;
}

/** Declares a type under a name: an interface if it is an object, which compilers show by its name. */
export function declare(name: string, schema: Schema, direction: Direction): string {
  const type = toType(schema, direction);
  const declaration =
    type.startsWith('{') && type.indexOf('\n}') === type.length - 2
      ? `interface ${name} ${type}`
      : `type ${name} = ${type};`;
  return `${comment(schema.description)}export ${declaration}\n`;
}
