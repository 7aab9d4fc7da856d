/** Why no response came. `blocked_address` is final; everything else may heal. */
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
 * How an exchange went over its connection, in whole milliseconds. The steps of making the connection are null for one
 * that was reused, and for a step that was not needed (no name to resolve, no TLS) or not reached.
 */
export type SendTimings = {
  /** Whether the connection had carried a request before; null when none was made. */
  readonly reused: boolean | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the start of the request's own bytes to the answer's status line. */
  readonly firstByteMs: number | null;
};

/** What is kept of an attempt to prove and to explain it, beside its outcome. It holds no secret. */
export type AttemptEvidence = {
  readonly url: string;
  /** Those request headers that do not follow from the rest of the record; `sentHeaders` adds the others again. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** All that a failed answer came with; of a 2xx, by what the receiver can find it in its own logs. */
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly remoteAddress: string | undefined;
  readonly timings: SendTimings | undefined;
};

/** The receiver answered. Header names are lower case; `bodySnippet` is redacted UTF-8 of at most 4 KiB. */
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

/** No answer. `message` is one plain sentence without secrets or addresses; `sentBytes` counts body bytes written. */
type SendFailure = {
  readonly kind: 'error';
  readonly errorClass: ErrorClass;
  readonly message: string;
  readonly durationMs: number;
  readonly sentBytes?: number;
  /** Where it was connected to, or was to be. */
  readonly remoteAddress?: string;
  readonly timings?: SendTimings;
  readonly evidence?: AttemptEvidence;
};

export type SendResult = SendResponse | SendFailure;
