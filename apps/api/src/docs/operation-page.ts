import { errorPage, errors, type Field, fieldOf, fieldsOf, type HttpRoute, type Operation } from '@finhook/contracts';
import { exportColumns, hasSpreadsheet } from '../operations/list-exports.ts';
import {
  descriptionOf,
  errorCodesOf,
  type RequestParts,
  requestOf,
  successResponses,
  tagOf,
  tagSlug,
} from '../rest/openapi/describe-operation.ts';
import { exampleOf } from './example-value.ts';
import { operationExamples } from './examples/operation-examples.ts';
import { blocks, code, codes, fence, json, section, table } from './markdown-text.ts';
import { CONSOLE, eventPath, operationPath, type Page, plainText } from './page.ts';
import { type FieldRow, formsOf, rowOf, rowsOf } from './schema-fields.ts';

const BASE = '/api/v1';

export function operationPage(operation: Operation): Page {
  return {
    path: operationPath(operation.id),
    title: operation.summary,
    summary: plainText(operation.summary),
    kind: 'Operation',
    group: tagOf(operation),
    markdown: () => describe(operation),
  };
}

function describe(operation: Operation): string {
  const request = requestOf(operation, operation.http);
  return blocks(
    `# ${operation.summary}`,
    fence(
      'http',
      routesOf(operation)
        .map(({ method, path }) => `${method} ${BASE}${path}`)
        .join('\n'),
    ),
    descriptionOf(operation),
    facts(operation),
    ...parameters(request),
    section(
      'Example request',
      ...operationExamples(operation).map(({ language, label, code: text }) => fence(language, text, label)),
    ),
    ...response(operation),
    section('Events', ...events(operation)),
    section('Errors', ...problems(operation, request)),
  );
}

function routesOf({ http }: Operation): HttpRoute[] {
  return [http, ...(http.aliases ?? [])];
}

function consoleOf(operation: Operation): string {
  const { method, path } = operation.http;
  return `${CONSOLE}#tag/${tagSlug(tagOf(operation))}/${method}${path}`;
}

function facts(operation: Operation): string {
  const { scopes, permission, kind } = operation;
  const formats = exportColumns(operation);
  const lines = [
    `- Name: ${code(operation.id)}, in ${scopes.length === 0 ? '' : 'the clients, in tRPC and in '}the OpenAPI document`,
    scopes.length === 0 ? '- Needs no API key' : `- Scopes of the key: ${codes(scopes)}`,
    permission && `- Permission of a restricted key: ${code(permission)}`,
    kind === 'mutation' && scopes.length > 0 && '- Repeatable with an `Idempotency-Key`',
    operation.etag && '- Returns an `ETag`; a matching `If-None-Match` gets a 304',
    formats && '- Exports: `format=csv` and `format=ndjson` return all rows',
    hasSpreadsheet(operation) && '- `format=spreadsheet` returns them as a CSV file for people',
    `- [Try it](${consoleOf(operation)}) with a key of yours`,
  ];
  return lines.filter(Boolean).join('\n');
}

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function parameters({ body, ...request }: RequestParts): (string | undefined)[] {
  const sections = places.map(([place, title]) => {
    const fields = request[place] ? fieldsOf(fieldOf(request[place], 'input')) : [];
    return section(
      title,
      fields.length > 0 &&
        requestTable(
          fields.map((field) => rowOf(field)),
          'Parameter',
        ),
    );
  });
  return [...sections, body && section('Body', ...bodyTables(fieldOf(body, 'input')))];
}

function bodyTables(body: Field): string[] {
  if (body.type !== 'union')
    return fieldsOf(body).length > 0 ? [requestTable(rowsOf(body))] : ['An empty object, or nothing.'];
  return formsOf(body).flatMap((form) => [`One form: ${form.description ?? ''}`, requestTable(rowsOf(form))]);
}

function requestTable(fields: readonly FieldRow[], title = 'Field'): string {
  const rows = fields.map(({ name, type, required, description }) => [
    code(name),
    type,
    required ? 'yes' : 'no',
    description,
  ]);
  return table([title, 'Type', 'Required', 'Description'], rows);
}

export function responseTable(fields: readonly FieldRow[]): string {
  const rows = fields.map(({ name, type, required, description }) => [
    code(name),
    required ? type : `${type}; may be absent`,
    description,
  ]);
  return table(['Field', 'Type', 'Description'], rows);
}

function response(operation: Operation): (string | undefined)[] {
  const successes = Object.entries(successResponses(operation, operation.http));
  const statuses = successes.map(([status, { description }]) => `- ${code(status)} ${description}`).join('\n');
  if (operation.http.success === 204) return [section('Response', statuses)];
  const output = fieldOf(operation.output, 'output');
  return [
    section('Response', statuses, responseTable(rowsOf(output))),
    section('Example response', json(exampleOf(output, operation.example))),
  ];
}

function events({ emits, emitsLater = [] }: Operation): (string | false)[] {
  const links = (types: readonly string[]): string =>
    types.map((type) => `- [${code(type)}](${eventPath(type)})`).join('\n');
  const later = emitsLater.filter((type) => !emits.includes(type));
  return [
    emits.length > 0 && `A successful request emits:\n\n${links(emits)}`,
    later.length > 0 && `A successful request may cause later:\n\n${links(later)}`,
  ];
}

function problems(operation: Operation, { query }: RequestParts): string[] {
  const hasQuery = Object.keys(query.shape).length > 0;
  const others = [...errorCodesOf(operation, operation.http, hasQuery)].filter(
    (name) => !operation.errors.includes(name),
  );
  const link = (name: (typeof operation.errors)[number]): string => `[${code(name)}](${errorPage(name)})`;
  const own = [...new Set(operation.errors)].map((name) => [
    String(errors[name].status),
    link(name),
    errors[name].meaning,
  ]);
  return [
    ...(own.length > 0 ? [table(['Status', 'Code', 'Meaning'], own)] : []),
    `${own.length > 0 ? 'As with other operations, also' : 'As with other operations:'} ${others.map(link).join(', ')}.`,
  ];
}
