import {
  type Field,
  fieldNamed,
  fieldOf,
  type Operation,
  pathParameterExamples,
  pathParameters,
} from '@finhook/contracts';

export interface ExampleCall {
  operation: Operation;
  /** In the order of the path. */
  path: readonly [name: string, value: string][];
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  hasBody: boolean;
  /** Name of the result, such as `cash_balance`; null if there is none. */
  result: string | null;
  hasId: boolean;
}

export function exampleCall(operation: Operation): ExampleCall {
  const { http, example } = operation;
  const output = fieldOf(operation.output, 'output');
  const names = pathParameters(http.path);
  const path = names.map((name): [string, string] => {
    const value = pathParameterExamples[name];
    if (value === undefined) throw new Error(`${operation.id} has no example of ${name}.`);
    return [name, value];
  });
  const hasBody = http.method !== 'GET' && http.method !== 'DELETE';
  const inQuery = (name: string): boolean => !hasBody || (http.query ?? []).includes(name);
  const fields = Object.entries(example);
  return {
    operation,
    path,
    query: Object.fromEntries(fields.filter(([name]) => inQuery(name))),
    body: Object.fromEntries(fields.filter(([name]) => !inQuery(name))),
    hasBody,
    result: http.success === 204 ? null : resultName(output),
    hasId: fieldNamed(output, 'id') !== undefined,
  };
}

/** The `object` of a record. `case` is a keyword of TypeScript and Go. */
function resultName(output: Field): string {
  const { constant = 'result' } = fieldNamed(output, 'object') ?? {};
  if (constant === 'list') return 'page';
  return constant === 'case' ? 'result' : String(constant);
}

export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `41_250_000`, which is valid in the three languages. */
export function numberText(value: number): string {
  if (Math.abs(value) < 10_000 || !Number.isInteger(value)) return String(value);
  return String(value).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, '_');
}
