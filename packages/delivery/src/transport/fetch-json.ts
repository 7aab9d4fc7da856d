import { Client, type Dispatcher } from 'undici';
import { slowDownStatuses } from '../policy/classify.ts';
import { parseRetryAfter } from '../policy/retry-delay.ts';
import { createHostLookup, type HostLookup, isAllowedAddress, type UrlPolicy } from '../ssrf/resolve-host.ts';
import { checkWebhookUrl } from '../ssrf/url-policy.ts';
import { createConnector } from './connector.ts';
import { errorClassOf, errorMessageOf, isSystemError } from './error-class.ts';
import type { ProxyServer } from './proxy-tunnel.ts';
import type { ErrorClass } from './send-result.ts';

type FetchError = ErrorClass | 'status' | 'too_large' | 'not_text';

/**
 * The document, or an error whose `message` is one sentence without secrets or addresses. `statusCode` is set when
 * there was a response, `retryAfterMs` (at most 24 h) when it had a Retry-After.
 */
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
  /** From the call to the last byte of the response. Default 30 s. */
  readonly timeoutMs?: number;
  /** Bytes of a response; a longer one is rejected and its connection destroyed. Default 8 MiB. */
  readonly maxBytes?: number;
  readonly lookup?: HostLookup;
  readonly proxy?: ProxyServer | undefined;
};

type JsonRequest = {
  readonly url: string;
  readonly token: string;
  /** Aborts the request, which rejects with the signal's reason. */
  readonly signal: AbortSignal;
};

/**
 * Gets the text of a document with `accept: application/json`. Errors of the provider are values; rejects for errors of
 * this process, and when aborted.
 */
export type FetchJson = (request: JsonRequest) => Promise<FetchResult>;

const connectTimeoutMs = 5_000;
const megabyte = 1024 * 1024;

/**
 * Creates the client for providers' APIs, with the rules of webhook targets (S21–S24): it checks each address at
 * connect time, follows no redirect and keeps no cookie. Each request has its own connection.
 */
export function createJsonFetcher(options: JsonFetcherOptions): FetchJson {
  const { policy, now, timeoutMs = 30_000, maxBytes = 8 * megabyte } = options;
  const connect = createConnector({
    isAllowed: (address) => isAllowedAddress(address, policy),
    lookup: options.lookup ?? createHostLookup(policy),
    connectTimeoutMs,
    proxy: options.proxy,
  });
  return async ({ url, token, signal }) => {
    const check = checkWebhookUrl(url, policy);
    if (!check.ok) return { ok: false, error: 'blocked_address', message: `The address ${check.reason}.` };
    const { origin, pathname, search } = new URL(check.url);
    const deadline = AbortSignal.timeout(timeoutMs);
    const client = new Client(origin, { connect, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
    try {
      const response = await client.request({
        method: 'GET',
        path: pathname + search,
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        signal: AbortSignal.any([signal, deadline]),
      });
      if (response.statusCode !== 200) return wrongStatus(response, now());
      return toResult(await readBytes(response.body, maxBytes), maxBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return failure('timeout');
      if (!(error instanceof Error) || isSystemError(error)) throw error;
      return failure(errorClassOf(error), error);
    } finally {
      await client.destroy();
    }
  };
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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

function wrongStatus({ statusCode, headers }: Dispatcher.ResponseData, now: Date): FetchResult {
  const redirect = statusCode >= 300 && statusCode < 400 ? ' Redirects are not followed.' : '';
  const message = `The provider returned ${statusCode}.${redirect}`;
  const asked = slowDownStatuses.has(statusCode) ? headers['retry-after'] : undefined;
  const retryAfterMs = typeof asked === 'string' ? parseRetryAfter(asked, now) : undefined;
  return { ok: false, error: 'status', statusCode, retryAfterMs, message };
}

function failure(errorClass: Parameters<typeof errorMessageOf>[0], error?: Error): FetchResult {
  return { ok: false, error: errorClass, message: errorMessageOf(errorClass, error) };
}
