/** The reason that there was no response. `blocked_address` is permanent, all others may be transient. */
export type ErrorClass =
  | 'blocked_address'
  | 'dns'
  | 'connect_refused'
  | 'connect_timeout'
  | 'timeout'
  | 'reset'
  | 'tls'
  | 'protocol'
  | 'unknown';

/**
 * Whole milliseconds. The steps of connecting are null for a reused connection, and for a step that was not needed (no
 * name to resolve, no TLS) or not reached.
 */
export type SendTimings = {
  /** True for a kept-alive connection; null without a connection. */
  readonly reused: boolean | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the start of the request to the status line of the response. */
  readonly firstByteMs: number | null;
};

/** Stored with the outcome of an attempt, to explain it. Contains no secret. */
export type AttemptEvidence = {
  readonly url: string;
  /** The headers that don't follow from the rest of the record; `sentHeaders` restores the others. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** All headers of a failure; of a 2xx only request ids, which the receiver's logs have. */
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly remoteAddress: string | undefined;
  readonly timings: SendTimings | undefined;
};

/** Header names are in lower case; `bodySnippet` is redacted UTF-8 of at most 4 KiB. */
export type SendResponse = {
  readonly kind: 'response';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySnippet: string;
  readonly durationMs: number;
  readonly remoteAddress?: string;
  readonly timings?: SendTimings;
  readonly evidence?: AttemptEvidence;
};

/** `message` is one sentence without secrets or addresses; `sentBytes` counts body bytes written. */
type SendFailure = {
  readonly kind: 'error';
  readonly errorClass: ErrorClass;
  readonly message: string;
  readonly durationMs: number;
  readonly sentBytes?: number;
  readonly remoteAddress?: string;
  readonly timings?: SendTimings;
  readonly evidence?: AttemptEvidence;
};

export type SendResult = SendResponse | SendFailure;
