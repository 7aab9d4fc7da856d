import type { Direction, Field } from '@finhook/contracts';

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

/** Optional fields of an input may be `undefined`; those of an output are absent. */
export function toType(field: Field, direction: Direction, indent = ''): string {
  const type = field.component?.name ?? typeOf(field, direction, indent);
  return field.nullable ? `${type} | null` : type;
}

function typeOf(field: Field, direction: Direction, indent: string): string {
  const { type, item, options = [], variants = [] } = field;
  switch (type) {
    case 'integer':
      return 'number';
    case 'number':
    case 'boolean':
      return type;
    case 'constant':
      return quote(field.constant);
    case 'enum':
      return union(options.map(quote));
    case 'union':
      return union(variants.map((variant) => toType(variant, direction, indent)));
    case 'list': {
      const each = item ? toType(item, direction, indent) : 'unknown';
      return each.includes('|') ? `(${each})[]` : `${each}[]`;
    }
    case 'map':
    case 'object':
      return objectType(field, direction, indent);
    case 'json':
      return 'unknown';
    default:
      return 'string';
  }
}

function objectType({ fields = [], item }: Field, direction: Direction, indent: string): string {
  const inner = `${indent}  `;
  const rest = item && toType(item, direction, inner);
  if (fields.length === 0) return `Record<string, ${rest ?? 'never'}>`;
  const lines = fields.map((field) => {
    const { name, required, component, description = '' } = field;
    const value = toType(field, direction, inner);
    const type = !required && direction === 'input' ? `${value} | undefined` : value;
    const own = description === component?.description ? '' : description;
    const fallback = field.default === undefined ? '' : ` Default: \`${JSON.stringify(field.default)}\`.`;
    const key = isIdentifier(name) ? name : quote(name);
    return `${comment(`${own}${fallback}`.trim(), inner)}${inner}${key}${required ? '' : '?'}: ${type};\n`;
  });
  if (rest !== undefined) lines.push(`${inner}[key: string]: ${rest};\n`);
  return `{\n${lines.join('')}${indent}}`;
}

/** An interface if it is an object: compilers show it by name. */
export function declare(name: string, field: Field, direction: Direction): string {
  const type = toType(field, direction);
  const declaration =
    type.startsWith('{') && type.indexOf('\n}') === type.length - 2
      ? `interface ${name} ${type}`
      : `type ${name} = ${type};`;
  return `${comment(field.description)}export ${declaration}\n`;
}
