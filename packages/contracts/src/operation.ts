import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { AnyEventType, EventType } from './events/index.ts';
import { fieldNamed, fieldOf } from './fields.ts';
import type { Permission, Scope } from './records/api-key.ts';
import { describeId, type IdPrefix, sampleId } from './scalars.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type SuccessStatus = 200 | 201 | 202 | 204;

/** `path` is relative to `/api/v1`; `{name}` segments are fields of the input. */
export interface HttpRoute {
  method: HttpMethod;
  path: string;
  success: SuccessStatus;
}

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** Calls per tRPC request; each counts towards the rate limit. */
export const maxBatchCalls = 12;

/** A field with a batch of rows; `max` is checked before a row is validated. */
export interface RowsLimit {
  field: string;
  max: number;
  row: z.ZodObject;
}

/** Deprecation of an operation or field; `docs/versions.md` has the policy. */
export interface Deprecation {
  /** A day, such as `2027-01-31`. */
  since: string;
  /** The day on which it stops working, if known. */
  sunset?: string;
  /** ID of the operation, or name of the field, to use instead. */
  successor: string;
}

export function deprecationNotice({ since, sunset, successor }: Deprecation): string {
  const end = sunset === undefined ? '' : ` and ends on ${sunset}`;
  return `Deprecated since ${since}${end}: use \`${successor}\`.`;
}

export function deprecatedField(field: z.ZodType, deprecation: Deprecation): z.ZodType {
  const description = `${deprecationNotice(deprecation)} ${field.description ?? ''}`.trim();
  return field.meta({ deprecated: true, description });
}

/** An entry of the operations table, from which tRPC, REST, OpenAPI, scopes and idempotency are derived. */
export interface Operation {
  /** Its path in the tree of operations, for example `cash.balances.get`. */
  id: string;
  kind: 'query' | 'mutation';
  summary: string;
  /** CommonMark: effects, events, limits and errors that the summary omits. */
  description: string;
  http: HttpRoute & {
    /** Input fields that come from the query string although the method has a body. */
    query?: readonly string[];
    aliases?: readonly HttpRoute[];
    /** The status of an output, if it is not always `success`: 200 for an update, 201 for a creation. */
    status?: (output: never) => SuccessStatus;
  };
  scopes: readonly Scope[];
  /** Permission that a restricted key needs. Every mutation has one. */
  permission?: Permission;
  input: z.ZodType;
  /** Selects the member of a union input, so that errors are about the form sent. */
  variant?: (raw: Record<string, unknown>) => z.ZodType;
  rows?: RowsLimit;
  /** Maximum bytes of a request, if not the usual one. */
  bodyLimit?: number;
  output: z.ZodType;
  errors: readonly ErrorCode[];
  emits: readonly AnyEventType[];
  /** Event types that a job may emit because of a call. */
  emitsLater?: readonly EventType[];
  /** The response has a secret that is shown once; it is stored encrypted for idempotent replay. */
  secretOutput?: boolean;
  etag?: boolean;
  /** Reads from a replica of the database. Default: paged lists do. */
  replica?: boolean;
  deprecated?: Deprecation;
  deprecatedFields?: Readonly<Record<string, Deprecation>>;
  /** A valid input for a new account, without the parameters of the path. */
  example: Record<string, unknown>;
}

type Defaulted = 'kind' | 'scopes' | 'errors' | 'emits' | 'example';

type Entry = Omit<Operation, 'id' | 'http' | Defaulted> &
  Partial<Pick<Operation, Defaulted>> & {
    http: Omit<Operation['http'], 'success'> & Partial<Pick<Operation['http'], 'success'>>;
  };

/** Exact types of an entry's own properties. Exported because declarations of the table name it. */
export type Defined<E extends Entry> = Omit<Operation, keyof E> &
  Omit<E, 'http' | 'errors'> & { http: E['http'] & Pick<HttpRoute, 'success'>; errors: Operation['errors'] };

/**
 * Defaults: a GET is a query for every scope, anything else a mutation for `human`; the status is 200, or 204 for a
 * DELETE. The path and the input add their `errors`; the tree adds the `id`.
 */
export function defineOperation<const E extends Entry>(entry: E): Defined<E> {
  const { method, success = method === 'DELETE' ? 204 : 200 } = entry.http;
  const kind = entry.kind ?? (method === 'GET' ? 'query' : 'mutation');
  return asDefined({
    scopes: kind === 'query' ? ['human', 'agent', 'read'] : ['human'],
    emits: [],
    example: {},
    ...entry,
    id: '',
    kind,
    http: { ...entry.http, success },
    errors: [...usualErrors(entry), ...(entry.errors ?? [])],
  });
}

function usualErrors({ http: { method, path }, input }: Pick<Entry, 'http' | 'input'>): ErrorCode[] {
  const ids = pathParameters(path);
  const errors: ErrorCode[] = [];
  if (ids.includes('company_id')) errors.push('company_not_found');
  if (ids.some((name) => name !== 'company_id')) errors.push('not_found');
  try {
    if (fieldNamed(fieldOf(input, 'input'), 'after')) errors.push('invalid_cursor');
  } catch (cause) {
    throw new Error(`The input of ${method} ${path} cannot be described.`, { cause });
  }
  return errors;
}

function asDefined<E extends Entry>(operation: Operation): Defined<E> {
  return operation as unknown as Defined<E>;
}

/** Kinds of the records that parameters in paths name. */
export const pathIds = {
  action_id: 'act',
  agent_approval_id: 'aap',
  agent_id: 'agent',
  approval_id: 'apr',
  balance_id: 'bal',
  case_id: 'case',
  company_id: 'co',
  connection_id: 'conn',
  delivery_id: 'dlv',
  directive_id: 'dir',
  endpoint_id: 'we',
  event_id: 'evt',
  filing_id: 'fil',
  flag_id: 'flag',
  key_id: 'key',
  replay_id: 'rpl',
  request_id: 'req',
  session_id: 'ses',
  snapshot_id: 'fin',
  sync_id: 'syn',
  transaction_id: 'txn',
} as const satisfies Record<string, IdPrefix>;

const ofPathIds = (textOf: (prefix: IdPrefix) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(pathIds).map(([name, prefix]) => [name, textOf(prefix)]));

export const pathParameterDescriptions: Readonly<Record<string, string>> = {
  ...ofPathIds(describeId),
  step_key: 'Key of the formation step, for example `bylaws_adopted`.',
};

export const pathParameterExamples: Readonly<Record<string, string>> = {
  ...ofPathIds(sampleId),
  attempt: '1',
  step_key: 'name_reserved',
};
