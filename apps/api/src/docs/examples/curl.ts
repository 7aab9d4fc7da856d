import type { ExampleCall } from './example-call.ts';

export function curlExample({ operation, path, query, body, hasBody }: ExampleCall): string {
  const { method } = operation.http;
  const values = new Map(path);
  const address = operation.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const url = `"$FINHOOK_URL/api/v1${address}${search.size > 0 ? `?${search.toString()}` : ''}"`;
  const sendsBody = hasBody && Object.keys(body).length > 0;
  // -d makes it a POST.
  const isImplied = method === 'GET' || (method === 'POST' && sendsBody);
  const options = operation.scopes.length > 0 ? ['-H "Authorization: Bearer $FINHOOK_API_KEY"'] : [];
  if (sendsBody) {
    const json = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''");
    options.push("-H 'Content-Type: application/json'", `-d '${json}'`);
  }
  return [`curl ${isImplied ? '' : `-X ${method} `}${url}`, ...options].join(' \\\n  ');
}
