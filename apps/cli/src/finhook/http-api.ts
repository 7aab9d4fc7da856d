import { randomUUID } from 'node:crypto';
import type { Operations } from '@finhook/contracts';
import type { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { reasonOf } from '../reason-of.ts';
import { Failure, type Problem, Rejected, Unreachable } from './failure.ts';
import { operation, pathFields, type TableOperation } from './table.ts';

export type Input = Readonly<Record<string, unknown>>;

/** The response of an operation of the contracts. */
export type OutputOf<O extends { output: z.ZodType }> = z.output<O['output']>;

export type Me = OutputOf<Operations['me']['get']>;

interface Reply<Body = unknown> {
  status: number;
  text: string;
  body: Body;
}

interface CallOptions {
  /** Repeats a change safely. Default: a new one per call. */
  idempotencyKey?: string | undefined;
}

/** The HTTP API of one service, with one key or, for `post`, none. Throws Rejected or Unreachable. */
export interface Service {
  url: string;
  call: <Body = unknown>(of: TableOperation | string, input?: Input, options?: CallOptions) => Promise<Reply<Body>>;
  /** Needs no key; the path is relative to `/api/v1`. */
  post: <Body>(path: string, fields: Input) => Promise<Reply<Body>>;
  open: (of: TableOperation, input: Input, format: string) => Promise<Response>;
  /** A path outside of the API, such as `/healthz`. */
  get: (path: string) => Promise<Response>;
}

export const version: string = manifest.version;

function problemOf(text: string): Problem {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : {};
  } catch {
    return { detail: 'The response is not from finhook: check the address.' };
  }
}

async function assertSuccess(response: Response): Promise<Response> {
  if (response.ok) return response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new Rejected(response.status, problemOf(await response.text()), Number.isFinite(seconds) ? seconds : undefined);
}

function parseBody(text: string, url: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw new Failure(`${url} did not return JSON: check that it is the address of a finhook service.`);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Route = Pick<TableOperation, 'method' | 'path' | 'query'>;

function requestOf(url: string, each: Route, input: Input): { address: URL; body: string | undefined } {
  const inPath = new Set(pathFields(each));
  const path = each.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(input[name])));
  const address = new URL(`/api/v1${path}`, url);
  const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const isQuery = (name: string): boolean => each.method === 'GET' || each.query.includes(name);
  for (const [name, value] of rest)
    if (isQuery(name)) for (const one of [value].flat()) address.searchParams.append(name, textOf(one));
  const fields = Object.fromEntries(rest.filter(([name]) => !isQuery(name)));
  const hasBody = each.method !== 'GET' && each.method !== 'DELETE';
  return { address, body: hasBody ? JSON.stringify(fields) : undefined };
}

// The caller of `call` states the type.
function asReply<Body>(reply: Reply): Reply<Body> {
  return reply as Reply<Body>;
}

interface Address {
  url: string;
  key?: string;
  cell?: string | undefined;
}

interface SendOptions {
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

function createSender({ url, key, cell }: Address, signal: AbortSignal) {
  const reach = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      // The cause of "fetch failed" has the reason.
      const reason = reasonOf(error instanceof Error ? (error.cause ?? error) : error);
      throw new Unreachable(`${new URL(url).origin} can't be reached: ${reason}. Check it: finhook doctor`);
    }
  };
  const own = {
    'user-agent': `finhook-cli/${version}`,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(cell === undefined ? {} : { 'finhook-cell': cell }),
  };
  return {
    // A redirect would send the key elsewhere.
    send: (address: URL, options: SendOptions): Promise<Response> =>
      reach(() => fetch(address, { ...options, headers: { ...own, ...options.headers }, signal, redirect: 'manual' })),
    readText: (response: Response): Promise<string> => reach(() => response.text()),
  };
}

export function createService(connection: Address, signal: AbortSignal): Service {
  const { url } = connection;
  const { send, readText } = createSender(connection, signal);
  const exchange = async <Body>(each: Route, input: Input, headers: Record<string, string>): Promise<Reply<Body>> => {
    const { address, body } = requestOf(url, each, input);
    const json = body === undefined ? {} : { body, headers: { ...headers, 'content-type': 'application/json' } };
    const response = await assertSuccess(await send(address, { method: each.method, headers, ...json }));
    const text = await readText(response);
    return asReply<Body>({ status: response.status, text, body: parseBody(text, url) });
  };
  return {
    url,
    async call<Body>(of: TableOperation | string, input: Input = {}, options: CallOptions = {}) {
      const each = typeof of === 'string' ? operation(of) : of;
      if (each.permission === undefined) return await exchange<Body>(each, input, {});
      const key = options.idempotencyKey ?? randomUUID();
      return await exchange<Body>(each, input, { 'idempotency-key': key }).catch((error: unknown) => {
        throw error instanceof Rejected ? error : withRepeat(error, key);
      });
    },
    post: (path, fields) => exchange({ method: 'POST', path, query: [] }, fields, {}),
    async open(of, input, format) {
      const { address } = requestOf(url, of, { ...input, format });
      return await assertSuccess(await send(address, { method: 'GET', headers: { accept: '*/*' } }));
    },
    get: (path) => send(new URL(path, url), { method: 'GET' }),
  };
}

/** Undefined for a key of scope `ingest`, which may only post. */
export async function readMe(service: Service): Promise<Me | undefined> {
  try {
    return (await service.call<Me>('me.get')).body;
  } catch (error) {
    if (error instanceof Rejected && error.problem.code === 'insufficient_scope') return undefined;
    throw error;
  }
}

/** An interrupted change may be stored; repeating it with its key is safe. */
function withRepeat(error: unknown, key: string): unknown {
  if (!(error instanceof Error)) return error;
  error.message = `${error.message}\n  Whether the change was made is unknown. Repeat it safely with --idempotency-key ${key}`;
  return error;
}
