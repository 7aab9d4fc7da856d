import { type ExampleCall, numberText, snakeCase } from './example-call.ts';
import { type Layout, write } from './layout.ts';

const setUp = `import os

from finhook import Finhook

finhook = Finhook(os.environ["FINHOOK_API_KEY"], base_url=os.environ["FINHOOK_URL"])
`;

export function pythonExample({ operation, path, query, body, result }: ExampleCall): string {
  const fields = { ...Object.fromEntries(path), ...query, ...body };
  const call = `finhook.${snakeCase(operation.id)}`;
  const statement = result === null ? call : `${result} = ${call}`;
  const items = Object.entries(fields).map(([name, value]) => ({ label: `${name}=`, value: layoutOf(value) }));
  const text = statement + write({ open: '(', close: ')', items }, { indent: '    ', width: 88 }, statement.length);
  return [setUp, text, ...(result === null ? [] : [`print(${result})`])].join('\n');
}

function layoutOf(value: unknown): Layout {
  if (Array.isArray(value))
    return { open: '[', close: ']', items: value.map((item) => ({ label: '', value: layoutOf(item) })) };
  if (typeof value === 'object' && value !== null) {
    const items = Object.entries(value).map(([name, field]: [string, unknown]) => ({
      label: `${JSON.stringify(name)}: `,
      value: layoutOf(field),
    }));
    return { open: '{', close: '}', items };
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? numberText(value) : JSON.stringify(value);
}
