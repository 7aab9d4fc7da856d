import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { HttpRoute, Operation, Problem } from '@finhook/contracts';
import type { output } from 'zod';

/** A response; `body` and `problem` are the same document, read as success and as rejection. */
export interface ApiResponse<T = unknown> {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: T;
  problem: Problem;
}

export interface SendOptions {
  /** Sent as bearer token; the client's own key when absent, no Authorization header when null. */
  key?: string | null;
  headers?: OutgoingHttpHeaders;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  raw?: string | Uint8Array;
}

export type Input = Record<string, unknown>;

/** An HTTP client for REST and tRPC. */
export interface ApiClient {
  /** Any request; `target` is path and query. */
  send<T = unknown>(method: string, target: string, options?: SendOptions): Promise<ApiResponse<T>>;
  /** An operation at its REST address. */
  rest<O extends Operation>(
    operation: O,
    input?: Input,
    options?: SendOptions,
    route?: HttpRoute,
  ): Promise<ApiResponse<output<O['output']>>>;
  /** An operation as a tRPC procedure; `body` is the unwrapped result, `problem` the document inside the error. */
  trpc<O extends Operation>(
    operation: O,
    input?: Input,
    options?: SendOptions,
  ): Promise<ApiResponse<output<O['output']>>>;
  /** The same client with another key. */
  as(key: string): ApiClient;
  close(): void;
}

export interface RestRequest {
  target: string;
  body?: Input;
}

/** Where an operation's input goes at one of its routes: into path, query and body. */
export function toRestRequest(operation: Operation, input: Input, route: HttpRoute = operation.http): RestRequest {
  const rest = { ...input };
  const take = (name: string): string => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => take(name));
  const inQuery = route.method === 'GET' ? Object.keys(rest) : (operation.http.query ?? []);
  const query = inQuery
    .filter((name) => name in rest)
    .flatMap((name) => {
      const value = rest[name];
      delete rest[name];
      return [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`);
    });
  const target = `/api/v1${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return route.method === 'GET' || route.method === 'DELETE' ? { target } : { target, body: rest };
}

/** The text if it is valid JSON, else `null`. */
function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return 'null';
  }
}

function unwrap<T>(response: ApiResponse): ApiResponse<T> {
  const envelope: { result?: { data: T }; error?: { data?: { problem?: Problem } } } | null = JSON.parse(
    jsonOf(response.text),
  );
  const problem = envelope?.error?.data?.problem;
  return { ...response, body: (envelope?.result?.data ?? null) as T, problem: problem ?? response.problem };
}

/** `key` is sent unless a call has its own. */
export function createApiClient(
  url: string,
  key: string | null = null,
  agent = new Agent({ keepAlive: true }),
): ApiClient {
  function send<T>(method: string, target: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    const bearer = options.key === undefined ? key : options.key;
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const headers: OutgoingHttpHeaders = {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${url}${target}`, { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode = 0, headers: received } = response;
          const json = jsonOf(text);
          resolve({ status: statusCode, headers: received, text, body: JSON.parse(json), problem: JSON.parse(json) });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
  return {
    send,
    rest: (operation, input = {}, options = {}, route = operation.http) => {
      const { target, body } = toRestRequest(operation, input, route);
      return send(route.method, target, body === undefined ? options : { body, ...options });
    },
    trpc: async (operation, input = {}, options = {}) => {
      const path = `/trpc/${operation.id}`;
      if (operation.http.method !== 'GET') return unwrap(await send('POST', path, { body: input, ...options }));
      return unwrap(await send('GET', `${path}?input=${encodeURIComponent(JSON.stringify(input))}`, options));
    },
    as: (other) => createApiClient(url, other, agent),
    close: () => agent.destroy(),
  };
}
