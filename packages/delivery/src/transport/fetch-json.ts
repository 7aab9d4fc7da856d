import { Connection } from '../http1/connection.ts';
import { requestHead } from '../http1/request-head.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import { slowDownStatuses } from '../policy/classify.ts';
import { parseRetryAfter } from '../policy/retry-delay.ts';
import { responseHeaders } from '../redact/response-excerpt.ts';
import { createAddressCheck, createHostLookup, type HostLookup, type UrlPolicy } from '../ssrf/resolve-host.ts';
import { checkWebhookUrl } from '../ssrf/url-policy.ts';
import { createConnector } from './connector.ts';
import { errorClassOf, errorMessageOf, isSystemError } from './error-class.ts';
import type { Connector } from './open-socket.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import type { ErrorClass } from './send-result.ts';
import { requestUrlOf } from './transport.ts';

type FetchError = ErrorClass | 'status' | 'too_large' | 'not_text';

/** `message` contains no secrets or addresses; `retryAfterMs` is at most 24 h. */
export type FetchResult =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly error: FetchError;
      readonly statusCode?: number;
      readonly retryAfterMs?: number | undefined;
      readonly message: string;
    };

export type JsonFetcherOptions = {
  readonly policy: UrlPolicy;
  readonly now: () => Date;
  readonly timeoutMs?: number;
  /** A longer response is an error. Default 8 MiB. */
  readonly maxBytes?: number;
  readonly lookup?: HostLookup;
  readonly proxy?: ProxyServer | undefined;
};

type JsonRequest = {
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
};

/** Errors of the provider are values; rejects for errors of this process, and when aborted. */
export type FetchJson = (request: JsonRequest) => Promise<FetchResult>;

const connectTimeoutMs = 5_000;
const megabyte = 1024 * 1024;

/**
 * With the rules of webhook targets: addresses are checked at connect time, no redirects, no cookies, no keep-alive.
 */
export function createJsonFetcher(options: JsonFetcherOptions): FetchJson {
  const { policy, now, timeoutMs = 30_000, maxBytes = 8 * megabyte } = options;
  const connect = createConnector({
    isAllowed: createAddressCheck(policy),
    lookup: options.lookup ?? createHostLookup(policy),
    connectTimeoutMs,
    proxy: options.proxy,
  });
  return async ({ url, token, signal }) => {
    const check = checkWebhookUrl(url, policy);
    if (!check.ok) return { ok: false, error: 'blocked_address', message: `The address ${check.reason}.` };
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const { path, authority, target } = requestUrlOf(check.url);
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
      const head = requestHead({ method: 'GET', path, authority, headers, bodyBytes: 0, connection: 'close' });
      const open: OpenSocket = (opened) => connect(target, opened);
      const response = await getOnce(open, head, maxBytes, AbortSignal.any([signal, deadline]));
      if (response.head.statusCode !== 200) return wrongStatus(response.head, now());
      return toResult(response.bytes, maxBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return failure('timeout');
      if (!(error instanceof Error) || isSystemError(error)) throw error;
      return failure(errorClassOf(error), error);
    }
  };
}

type OpenSocket = (opened: Parameters<Connector>[1]) => () => void;

/** `bytes` is undefined if the response is too long or its status isn't 200. */
type Received = { readonly head: ResponseHead; readonly bytes: Buffer | undefined };

function getOnce(open: OpenSocket, request: string, maxBytes: number, signal: AbortSignal): Promise<Received> {
  return new Promise((resolve, reject) => {
    let connection: Connection | undefined;
    let head: ResponseHead | undefined;
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      connection?.destroy();
      settle();
    };
    const receive = (bytes: Buffer | undefined): void => {
      const received = head;
      if (received !== undefined) end(() => resolve({ head: received, bytes }));
    };
    const events = {
      onHead: (received: ResponseHead): void => {
        head = received;
        if (received.statusCode !== 200) receive(undefined);
      },
      onBody: (chunk: Buffer): void => {
        length += chunk.byteLength;
        if (length > maxBytes) receive(undefined);
        else chunks.push(chunk);
      },
      onEnd: (error: Error | undefined): void => {
        if (error === undefined) receive(Buffer.concat(chunks));
        else end(() => reject(error));
      },
    };
    const cancel = open((error, socket) => {
      if (socket === null) return end(() => reject(error ?? new Error('no connection')));
      connection = new Connection(socket, () => undefined);
      connection.request({ head: request, body: new Uint8Array() }, events);
    });
    const abort = (): void => {
      if (connection === undefined) cancel();
      end(() => reject(new Error('the request was aborted')));
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

function toResult(bytes: Buffer | undefined, maxBytes: number): FetchResult {
  if (bytes === undefined) {
    const message = `The response is longer than ${maxBytes / megabyte} MiB: send smaller pages.`;
    return { ok: false, error: 'too_large', message };
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, error: 'not_text', message: 'The response is not valid UTF-8.' };
  }
}

function wrongStatus({ statusCode, headers }: ResponseHead, now: Date): FetchResult {
  const redirect = statusCode >= 300 && statusCode < 400 ? ' Redirects are not followed.' : '';
  const message = `The provider returned ${statusCode}.${redirect}`;
  const asked = slowDownStatuses.has(statusCode) ? responseHeaders(headers)['retry-after'] : undefined;
  const retryAfterMs = parseRetryAfter(asked, now);
  return { ok: false, error: 'status', statusCode, retryAfterMs, message };
}

function failure(errorClass: Parameters<typeof errorMessageOf>[0], error?: Error): FetchResult {
  return { ok: false, error: errorClass, message: errorMessageOf(errorClass, error) };
}
