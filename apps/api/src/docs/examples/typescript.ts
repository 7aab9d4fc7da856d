import { camelCase, type ExampleCall, numberText } from './example-call.ts';
import { type BracketedList, type Layout, write } from './layout.ts';

const setUp = `import { createClient } from '@finhook/client';

const finhook = createClient({
  baseUrl: process.env.FINHOOK_URL ?? '',
  apiKey: process.env.FINHOOK_API_KEY ?? '',
});
`;

export function typescriptExample({ operation, path, query, body, result }: ExampleCall): string {
  const fields = { ...Object.fromEntries(path), ...query, ...body };
  const call = `await finhook.${operation.id}`;
  const statement = result === null ? call : `const ${camelCase(result)} = ${call}`;
  const input = Object.keys(fields).length === 0 ? '()' : objectLayout(fields, '({ ', ' })');
  const text = `${statement}${write(input, { indent: '  ', width: 88 }, statement.length)};`;
  return [setUp, text, ...(result === null ? [] : [`console.log(${camelCase(result)});`])].join('\n');
}

function objectLayout(fields: object, open = '{ ', close = ' }'): BracketedList {
  const items = Object.entries(fields).map(([name, value]: [string, unknown]) => ({
    label: `${/^\w+$/.test(name) ? name : textOf(name)}: `,
    value: layoutOf(value),
  }));
  return { open, close, items };
}

function layoutOf(value: unknown): Layout {
  if (Array.isArray(value))
    return { open: '[', close: ']', items: value.map((item) => ({ label: '', value: layoutOf(item) })) };
  if (typeof value === 'object' && value !== null) return objectLayout(value);
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? textOf(value) : String(value);
}

function textOf(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
