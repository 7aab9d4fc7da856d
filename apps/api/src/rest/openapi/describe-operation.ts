import {
  deprecatedField,
  deprecationNotice,
  type ErrorCode,
  errors,
  type HttpRoute,
  type Operation,
  operationGroups,
  pathParameterDescriptions,
  pathParameters,
  problem,
} from '@finhook/contracts';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { exportColumns, formatQuery } from '../../operations/list-exports.ts';

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'Makes the request safe to repeat: for 24 hours, the same request with the same key returns the first response ' +
      'and has no further effect. It belongs to the API key and its rotations. Any unique text in visible ASCII ' +
      'characters, for example a UUID.',
  );
const ifNoneMatch = z.string().optional().describe('An `ETag` of an earlier response: 304 if it is still current.');

const common: readonly ErrorCode[] = [
  'missing_credentials',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'unknown_parameter',
  'insufficient_scope',
  'ip_not_allowed',
  'not_acceptable',
  'request_timeout',
  'wrong_cell',
  'rate_limited',
  'headers_too_large',
  'internal',
  'unavailable',
];
const withBody: readonly ErrorCode[] = [
  'malformed_json',
  'malformed_body',
  'duplicate_json_key',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
];

/** A GET may use the dashboard's session. */
const withSession: readonly ErrorCode[] = ['session_ended', 'session_changed', 'csrf_failed'];

const ofChanges: readonly ErrorCode[] = [
  'account_moving',
  'invalid_idempotency_key',
  'idempotency_in_progress',
  'idempotency_key_reuse',
];

function shapeOf(schema: unknown, deprecated: Operation['deprecatedFields'] = {}): Record<string, z.ZodType> {
  const fields: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {};
  const marked = Object.entries(deprecated).flatMap(([name, deprecation]): [string, z.ZodType][] => {
    const field = fields[name];
    return field === undefined ? [] : [[name, deprecatedField(field, deprecation)]];
  });
  return { ...fields, ...Object.fromEntries(marked) };
}

function pick(shape: Record<string, z.ZodType>, keep: (name: string) => boolean): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(shape).filter(([name]) => keep(name))));
}

function describePath(shape: Record<string, z.ZodType>, inPath: ReadonlySet<string>): z.ZodObject {
  const described = Object.entries(shape)
    .filter(([name]) => inPath.has(name))
    .map(([name, field]): [string, z.ZodType] => {
      const description = pathParameterDescriptions[name] ?? field.description ?? '';
      return [name, z.nonoptional(field).describe(description)];
    });
  return z.object(Object.fromEntries(described));
}

export function tagOf({ id }: Operation): string {
  const name = id.split('.')[0];
  const group = Object.entries(operationGroups).find(([key]) => key === (name === 'deviceLogins' ? 'apiKeys' : name));
  if (!group) throw new Error(`${id} is in no group.`);
  return group[1].name;
}

export function tagSlug(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

export function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** For batches, the body may also be a single row. */
function bodySchema({ id, input, rows, deprecatedFields }: Operation, outside: ReadonlySet<string>): z.ZodType {
  const name = pascalCase(id);
  const description = `JSON body of the operation \`${id}\`.`;
  const body = (form: unknown): z.ZodObject => pick(shapeOf(form, deprecatedFields), (field) => !outside.has(field));
  if (!(input instanceof z.ZodUnion)) return body(input).meta({ id: `${name}Body`, description });
  const batch = input.options.find((form) => rows !== undefined && rows.field in shapeOf(form));
  if (!rows) throw new Error(`${id}: a body in several forms is a batch or one of its rows.`);
  const batchBody = body(batch).meta({ id: `${name}Batch`, description: `Several rows of \`${id}\` in one request.` });
  // Exclusive, because some generators merge a union of objects into one object.
  return z.xor([batchBody, rows.row]).meta({ id: `${name}Body`, description });
}

function isPublic({ scopes }: Operation): boolean {
  return scopes.length === 0;
}

function isRepeatable(operation: Operation): boolean {
  return operation.kind === 'mutation' && !isPublic(operation);
}

function exampleBody(operation: Operation, outside: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(operation.example).filter(([name]) => !outside.has(name)));
}

export function errorCodesOf(operation: Operation, { method }: HttpRoute, hasQuery: boolean): ReadonlySet<ErrorCode> {
  const codes: ErrorCode[] = [...common, ...operation.errors].filter(
    (code) => !isPublic(operation) || ![401, 403].includes(errors[code].status),
  );
  if (method === 'GET') codes.push(...withSession);
  if (method !== 'GET') codes.push(...withBody);
  else if (hasQuery) codes.push('validation_failed');
  if (isRepeatable(operation)) codes.push(...ofChanges);
  return new Set(codes);
}

function problemResponses(
  operation: Operation,
  route: HttpRoute,
  hasQuery: boolean,
): ZodOpenApiOperationObject['responses'] {
  const byStatus = Map.groupBy(errorCodesOf(operation, route, hasQuery), (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, members]) => [
      String(status),
      {
        description: members.map((code) => `\`${code}\`: ${errors[code].title}`).join('; '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
}

interface SuccessResponse {
  description: string;
  content?: Record<string, { schema: z.ZodType | { type: 'string' } }>;
}

export function successResponses(operation: Operation, route: HttpRoute): Record<string, SuccessResponse> {
  const { output, http, etag } = operation;
  if (route.success === 204) return { '204': { description: 'Done' } };
  const text = { schema: { type: 'string' as const } };
  const exports = exportColumns(operation) && { 'text/csv': text, 'application/x-ndjson': text };
  const response = {
    description: exports
      ? 'Success. CSV (RFC 4180) and NDJSON contain all rows; a response that is cut off is incomplete'
      : 'Success',
    content: { 'application/json': { schema: output }, ...exports },
  };
  const responses: Record<string, SuccessResponse> = { [String(route.success)]: response };
  if (http.status !== undefined && route === http) {
    if (http.success === 202) responses['200'] = { ...response, description: 'Nothing was started' };
    else responses['201'] = { ...response, description: 'Created' };
  }
  if (etag) responses['304'] = { description: 'Unchanged: `If-None-Match` names the ETag of the current response' };
  return responses;
}

export interface RequestParts {
  path: z.ZodObject;
  header: z.ZodObject | undefined;
  query: z.ZodObject;
  body: z.ZodType | undefined;
}

/** The input of an operation by the part of the request that contains it. */
export function requestOf(operation: Operation, route: HttpRoute): RequestParts {
  const { input, variant, deprecatedFields, http, etag } = operation;
  const fields = shapeOf(variant?.({}) ?? input, deprecatedFields);
  const shape: Record<string, z.ZodType> = exportColumns(operation)
    ? { ...fields, ...formatQuery(operation).shape }
    : fields;
  const inPath = new Set(pathParameters(route.path));
  const inQuery = new Set(
    route.method === 'GET' ? Object.keys(shape).filter((name) => !inPath.has(name)) : (http.query ?? []),
  );
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const headers = {
    ...(isRepeatable(operation) && { 'idempotency-key': idempotencyKey }),
    ...(etag && { 'if-none-match': ifNoneMatch }),
  };
  return {
    // A filter at one route may be a path parameter at another.
    path: describePath(shape, inPath),
    header: Object.keys(headers).length === 0 ? undefined : z.object(headers),
    query: pick(shape, (name) => inQuery.has(name)),
    body: hasBody ? bodySchema(operation, new Set([...inPath, ...inQuery])) : undefined,
  };
}

export function descriptionOf({ description, deprecated }: Operation): string {
  return deprecated ? `${deprecationNotice(deprecated)} ${description}` : description;
}

export function describeOperation(operation: Operation, route: HttpRoute, suffix: string): ZodOpenApiOperationObject {
  const { path, header, query, body } = requestOf(operation, route);
  const inQuery = Object.keys(query.shape);
  const outside = new Set([...Object.keys(path.shape), ...inQuery]);
  return {
    operationId: operation.id + suffix,
    summary: operation.summary,
    description: descriptionOf(operation),
    ...(operation.deprecated && { deprecated: true }),
    tags: [tagOf(operation)],
    // Headers first: clients with positional parameters then get later additions to the query last.
    requestParams:
      isRepeatable(operation) && header ? { path, header, query } : { path, query, ...(header && { header }) },
    ...(body && {
      requestBody: {
        // An absent body is read as {}.
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: body, example: exampleBody(operation, outside) } },
      },
    }),
    responses: { ...successResponses(operation, route), ...problemResponses(operation, route, inQuery.length > 0) },
    ...(isPublic(operation) ? { security: [] } : {}),
    'x-scopes': operation.scopes,
    ...(operation.permission === undefined ? {} : { 'x-permission': operation.permission }),
    'x-emits': operation.emits,
    ...(operation.emitsLater === undefined ? {} : { 'x-emits-later': operation.emitsLater }),
  };
}
