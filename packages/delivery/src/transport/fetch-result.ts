import type { ErrorClass } from './send-result.ts';

/** Why a document could not be had: what stopped the request, or what was wrong with the answer. */
export type FetchFault = ErrorClass | 'status' | 'too_large' | 'not_text';

/**
 * A fetched document, or one plain sentence without secrets or addresses. `statusCode` is set when it answered, and
 * `retryAfterMs` (at most 24 h) when it asked by Retry-After to be left alone for so long.
 */
export type FetchResult =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly fault: FetchFault;
      readonly statusCode?: number;
      readonly retryAfterMs?: number | undefined;
      readonly message: string;
    };
