import { type Operation, pathParameters } from '@finhook/contracts';

export interface OperationExample {
  language: string;
  label: string;
  code: string;
}

/** Requests of an operation with its example, ready to run with `API` and `KEY` in the environment. */
export function operationExamples({ http, scopes, example }: Operation): OperationExample[] {
  const inPath = pathParameters(http.path);
  const outside = new Set([...inPath, ...(http.query ?? [])]);
  const path = http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const body = Object.fromEntries(Object.entries(example).filter(([name]) => !outside.has(name)));
  const hasBody = http.method !== 'GET' && http.method !== 'DELETE';
  const lines = [
    `curl -s${http.method === 'GET' ? '' : ` -X ${http.method}`} "$API${path}"`,
    ...(scopes.length === 0 ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d '${quoted(JSON.stringify(body, null, 2))}'`] : []),
  ];
  return [{ language: 'sh', label: 'curl', code: lines.join(' \\\n  ') }];
}

function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}
