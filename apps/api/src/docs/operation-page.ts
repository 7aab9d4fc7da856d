import { errorPage, errors, type HttpRoute, type Operation } from '@finhook/contracts';
import { exportColumns } from '../operations/list-exports.ts';
import { errorCodesOf, tagOf, tagSlug } from '../rest/openapi/describe-operation.ts';
import { exampleOf } from './example-value.ts';
import { operationExamples } from './examples/operation-examples.ts';
import { blocks, code, codes, fence, json, section, table } from './markdown-text.ts';
import { describedAt, type OpenApiDocument } from './openapi-document.ts';
import { CONSOLE, eventPath, operationPath, type Page, plainText } from './page.ts';
import { type Field, fieldsOf, resolve, type Schema, type Schemas, typeOf } from './schema-fields.ts';

const BASE = '/api/v1';
const JSON_TYPE = 'application/json';

export function operationPage(operation: Operation, document: () => OpenApiDocument): Page {
  return {
    path: operationPath(operation.id),
    title: operation.summary,
    summary: plainText(operation.summary),
    kind: 'Operation',
    group: tagOf(operation),
    markdown: () => describe(operation, document()),
  };
}

type Described = ReturnType<typeof describedAt>;

function describe(operation: Operation, document: OpenApiDocument): string {
  const described = describedAt(document, operation.http);
  const { schemas } = document.components;
  return blocks(
    `# ${operation.summary}`,
    fence(
      'http',
      routesOf(operation)
        .map(({ method, path }) => `${method} ${BASE}${path}`)
        .join('\n'),
    ),
    described.description,
    facts(operation),
    ...parameters(described, schemas),
    section(
      'Example request',
      ...operationExamples(operation).map(({ language, label, code: text }) => fence(language, text, label)),
    ),
    ...response(operation, described, schemas),
    section('Events', ...events(operation)),
    section('Errors', ...problems(operation, described)),
  );
}

function routesOf({ http }: Operation): HttpRoute[] {
  return [http, ...(http.aliases ?? [])];
}

/** Where the console opens an operation. */
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
    `- [Try it](${consoleOf(operation)}) with a key of yours`,
  ];
  return lines.filter(Boolean).join('\n');
}

const places = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function parameters({ parameters: all = [], requestBody }: Described, schemas: Schemas): (string | undefined)[] {
  const sections = places.map(([place, title]) => {
    const fields = all
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required = false, description = '' }) => ({
        name,
        type: typeOf(schema, schemas),
        required,
        description,
      }));
    return section(title, fields.length > 0 && requestTable(fields, 'Parameter'));
  });
  const body = requestBody?.content[JSON_TYPE];
  return [...sections, body && section('Body', ...bodyTables(body.schema, schemas))];
}

/** A body in several forms has a table for each. */
function bodyTables(schema: Schema, schemas: Schemas): string[] {
  const { oneOf: forms, properties } = resolve(schema, schemas);
  if (!forms)
    return properties && Object.keys(properties).length > 0
      ? [requestTable(fieldsOf(schema, schemas))]
      : ['An empty object, or nothing.'];
  return forms.flatMap((form) => {
    const { description = '' } = resolve(form, schemas);
    return [`One form: ${description}`, requestTable(fieldsOf(form, schemas))];
  });
}

function requestTable(fields: readonly Field[], title = 'Field'): string {
  const rows = fields.map(({ name, type, required, description }) => [
    code(name),
    type,
    required ? 'yes' : 'no',
    description,
  ]);
  return table([title, 'Type', 'Required', 'Description'], rows);
}

export function responseTable(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, required, description }) => [
    code(name),
    required ? type : `${type}; may be absent`,
    description,
  ]);
  return table(['Field', 'Type', 'Description'], rows);
}

function response({ example }: Operation, { responses }: Described, schemas: Schemas): (string | undefined)[] {
  const successes = Object.entries(responses).filter(([status]) => status < '400');
  const statuses = successes.map(([status, { description }]) => `- ${code(status)} ${description}`).join('\n');
  const body = successes.map(([, { content }]) => content?.[JSON_TYPE]).find(Boolean);
  if (!body) return [section('Response', statuses)];
  return [
    section('Response', statuses, responseTable(fieldsOf(body.schema, schemas))),
    section('Example response', json(exampleOf(body.schema, schemas, example))),
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

function problems(operation: Operation, { parameters: all = [] }: Described): string[] {
  const hasQuery = all.some((parameter) => parameter.in === 'query');
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
