import { createTRPCUntypedClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client';
import { maxBatchCalls, type Problem } from './contracts.ts';
import { FinhookError } from './finhook-error.ts';

/** An HTTP request, which may carry several queries. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Paths of the called operations, for example `['companies.create']`. */
  readonly operations: readonly string[];
  /** Changes are sent, for example a `traceparent`. */
  readonly headers: Record<string, string>;
}

export interface ReceivedResponse {
  /** The same object that `onRequest` got. */
  readonly request: SentRequest;
  /** Undefined if no response arrived; `error` says why. */
  readonly status: number | undefined;
  /** ID of the request in the service's log. */
  readonly requestId: string | undefined;
  readonly durationMs: number;
  readonly error: unknown;
}

/** For logs and traces. Hooks must not throw. */
export interface Hooks {
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /** Also called if no response arrived. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
}

type Fetch = typeof globalThis.fetch;

export interface TransportOptions extends Hooks {
  readonly url: string;
  readonly apiKey: string;
  readonly fetch?: Fetch | undefined;
}

export interface Call {
  readonly operation: string;
  readonly kind: 'query' | 'mutation';
  readonly input: unknown;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Queries of the same tick share a request. Each mutation has its own: a batch could exceed the body limit, and a broken
 * connection would leave all of them in doubt. Rejects with FinhookError.
 */
export function createTransport(options: TransportOptions): (call: Call) => Promise<unknown> {
  const { url } = options;
  const fetch = createFetch(options);
  const authorization = `Bearer ${options.apiKey}`;
  const trpc = createTRPCUntypedClient({
    links: [
      splitLink({
        condition: ({ type }) => type === 'query',
        true: httpBatchLink({ url, fetch, headers: { authorization }, maxURLLength: 4000, maxItems: maxBatchCalls }),
        false: httpLink({
          url,
          fetch,
          headers({ op }): Record<string, string> {
            const key = op.context['idempotencyKey'];
            return typeof key === 'string' ? { authorization, 'idempotency-key': key } : { authorization };
          },
        }),
      }),
    ],
  });
  return ({ operation, kind, input, idempotencyKey, signal }) =>
    trpc[kind](operation, input, { signal, context: { idempotencyKey } }).catch((error: unknown) => {
      if (!(error instanceof TRPCClientError)) throw error;
      const failure = toFinhookError(error);
      throw new FinhookError(`${operation}: ${failure.message}`, failure);
    });
}

/** The parts of a response that tRPC and the client's errors need. */
interface JsonResponse {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly ok: boolean;
  readonly body: null;
  readonly json: () => Promise<unknown>;
}

function createFetch({ fetch = (...call) => globalThis.fetch(...call), onRequest, onResponse }: TransportOptions) {
  return async (url: unknown, given?: object): Promise<JsonResponse> => {
    const init = asInit(given);
    const { method } = init;
    const path = String(url).split('?', 1)[0] ?? '';
    const operations = path.slice(path.lastIndexOf('/') + 1).split(',');
    const request = { method, url: String(url), operations, headers: { ...init.headers } };
    onRequest?.(request);
    const began = performance.now();
    const report = (response: Response | undefined, error: unknown): void =>
      onResponse?.({
        request,
        status: response?.status,
        requestId: response?.headers.get('x-request-id') ?? undefined,
        durationMs: performance.now() - began,
        error,
      });
    let response: Response | undefined;
    let text: string;
    try {
      // A redirected POST would become a GET.
      response = await fetch(request.url, { ...init, headers: request.headers, redirect: 'manual' });
      text = await response.text();
    } catch (cause) {
      report(response, cause);
      throw new FinhookError(`the connection failed: ${reasonOf(cause)}`, { retryable: true, cause });
    }
    report(response, undefined);
    return readResponse(response, text);
  };
}

/** The cause of Node's "fetch failed" has the reason, or one per address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}

function readResponse({ status, headers }: Response, text: string): JsonResponse {
  const requestId = headers.get('x-request-id') ?? undefined;
  const facts = { status, requestId, retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()) };
  try {
    const body: unknown = JSON.parse(text);
    return { ...facts, ok: status < 300, body: null, json: async () => body };
  } catch (cause) {
    throw unexpectedResponse(facts, cause);
  }
}

/** For a response that is incomplete or not the service's. */
function unexpectedResponse(
  facts: Pick<JsonResponse, 'status' | 'requestId' | 'retryAfterMs'>,
  cause: unknown,
): FinhookError {
  const { status } = facts;
  const retryable = status < 300 || status >= 500 || status === 429 || status === 408;
  const message = `HTTP ${status} with a body that is not the service's: check the base URL, and proxies in between`;
  const { requestId, retryAfterMs } = facts;
  return new FinhookError(message, { status, requestId, retryAfterMs, retryable, cause });
}

/** Milliseconds of seconds or a date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

interface FailedCall extends Error {
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly data: unknown;
}

/** The message does not name the operation, because several calls may share the response. */
function toFinhookError(error: FailedCall): FinhookError {
  const { cause, message } = error;
  if (cause instanceof FinhookError) return cause;
  const response = asJsonResponse(error.meta?.['response']);
  const problem = problemIn(error.data);
  if (problem === undefined)
    return response ? unexpectedResponse(response, error) : new FinhookError(message, { retryable: false, cause });
  const { status, retryable, code, detail } = problem;
  // The header is about the whole batch.
  const retryAfterMs = retryable ? response?.retryAfterMs : undefined;
  return new FinhookError(`${detail} (${status} ${code})`, { status, problem, retryable, retryAfterMs });
}

function problemIn(data: unknown): Problem | undefined {
  return Reflect.get(Object(data), 'problem') as Problem | undefined;
}

// Absent if the request was not sent.
function asJsonResponse(response: unknown): JsonResponse | undefined {
  return response as JsonResponse | undefined;
}

interface Init extends Omit<RequestInit, 'headers'> {
  readonly method: string;
  readonly headers: Record<string, string>;
}

function asInit(init: unknown): Init {
  return init as Init;
}
