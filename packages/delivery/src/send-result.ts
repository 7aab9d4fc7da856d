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

/** The receiver answered. Header names are lower case; `bodySnippet` is redacted UTF-8 of at most 4 KiB. */
export type SendResponse = {
  readonly kind: 'response';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodySnippet: string;
  readonly durationMs: number;
  readonly remoteAddress?: string;
};

/** No answer. `message` is one plain sentence without secrets or addresses; `sentBytes` counts body bytes written. */
export type SendFailure = {
  readonly kind: 'error';
  readonly errorClass: ErrorClass;
  readonly message: string;
  readonly durationMs: number;
  readonly sentBytes?: number;
};

export type SendResult = SendResponse | SendFailure;
