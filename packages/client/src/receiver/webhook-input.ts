/** Headers of a request: a `Headers` object, or a record such as Node's `request.headers`. The case of names is free. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** One delivery as it arrived, and what is needed to check it. */
export interface WebhookInput {
  /** The raw body, before any parsing; a string stands for its UTF-8 bytes. */
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers: WebhookHeaders;
  /** The endpoint's secret (`whsec_…`) or public key (`whpk_…`), or all that are valid during a rotation. */
  readonly secret: string | readonly string[];
  /** The receiver's clock in milliseconds since 1970; `Date.now` when absent. */
  readonly now?: (() => number) | undefined;
  /** How old, or how far ahead, a delivery's timestamp may be, in seconds; 300 when absent. */
  readonly toleranceSeconds?: number | undefined;
}
