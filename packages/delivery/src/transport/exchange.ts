import type { Dispatcher } from 'undici';
import type { EchoRedaction } from '../redact/redact-echo.ts';
import { bodySnippet, responseHeaders } from '../redact/response-excerpt.ts';
import { errorClassOf, errorMessageOf, isSystemError } from './error-class.ts';
import type { ConnectTimings, Peer } from './peer.ts';
import type { ErrorClass, SendResult, SendTimings } from './send-result.ts';

type ExchangeEnd = {
  readonly resolve: (result: SendResult) => void;
  readonly reject: (error: Error) => void;
};

/** A longer body destroys the connection. */
const maxResponseBytes = 64 * 1024;
const maxSnippetBytes = 4 * 1024;
// A secret across the end of the snippet must be complete to be redacted.
const redactionSlack = 512;

/**
 * One request and its response, as an undici dispatch handler. It keeps the status, some headers and the start of the
 * body, and destroys the socket at the deadline or the byte limit. Settles exactly once. After a status has arrived, an
 * endless or interrupted body doesn't change the result; only the deadline does.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  peer: Peer | undefined;

  readonly #echo: EchoRedaction;
  readonly #end: ExchangeEnd;
  readonly #startedAt = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #requestAt: number | undefined;
  #responseAt: number | undefined;
  #connecting: ConnectTimings | undefined;
  #sentBytes = 0;
  #statusCode = 0;
  #headers: Record<string, string> = {};
  #encoding: string | undefined;
  #chunks: Uint8Array[] = [];
  #receivedBytes = 0;
  #keptBytes = 0;

  constructor(timeoutMs: number, echo: EchoRedaction, end: ExchangeEnd) {
    this.#echo = echo;
    this.#end = end;
    this.#deadline = setTimeout(() => this.#timeOut(), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It timed out in the queue: throwing removes it and leaves the new socket to others.
    if (this.#settled) throw new Error('the deadline passed before the request was sent');
    this.#controller = controller;
    this.#requestAt = performance.now();
    this.#connecting = this.peer?.takeTimings();
  }

  onBodySent(chunk: Uint8Array): void {
    this.#sentBytes += chunk.byteLength;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200) return;
    this.#responseAt = performance.now();
    this.#statusCode = statusCode;
    this.#headers = responseHeaders(headers, this.#echo.redact);
    this.#encoding = this.#headers['content-encoding'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#receivedBytes += chunk.byteLength;
    const room = maxSnippetBytes + Math.max(redactionSlack, this.#echo.longest) - this.#keptBytes;
    if (room > 0) {
      const kept = chunk.byteLength > room ? chunk.subarray(0, room) : chunk;
      this.#chunks.push(kept);
      this.#keptBytes += kept.byteLength;
    }
    if (this.#receivedBytes <= maxResponseBytes) return;
    this.#respond();
    controller.abort(new Error('the response body is too long'));
  }

  onResponseEnd(): void {
    this.#respond();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#settled) return;
    if (this.#statusCode !== 0) this.#respond();
    else if (isSystemError(error)) this.#settle(() => this.#end.reject(error));
    else this.#fail(errorClassOf(error), error);
  }

  #timeOut(): void {
    this.#fail('timeout');
    this.#controller?.abort(new Error('the deadline has passed'));
  }

  #respond(): void {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#settle(() =>
      this.#end.resolve({
        kind: 'response',
        statusCode: this.#statusCode,
        headers: this.#headers,
        bodySnippet: bodySnippet(bytes, this.#encoding, maxSnippetBytes, this.#echo.redact),
        durationMs: this.#elapsedMs(),
        ...this.#connection(),
      }),
    );
  }

  #fail(errorClass: ErrorClass, error?: Error): void {
    this.#settle(() =>
      this.#end.resolve({
        kind: 'error',
        errorClass,
        message: errorMessageOf(errorClass, error),
        durationMs: this.#elapsedMs(),
        sentBytes: this.#sentBytes,
        ...this.#connection(),
      }),
    );
  }

  #settle(report: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#deadline);
    report();
    this.#chunks = [];
  }

  #connection(): { remoteAddress?: string; timings: SendTimings } {
    const started = this.#requestAt !== undefined;
    // Before the request is sent, report how far connecting has come.
    const steps = started ? this.#connecting : this.peer?.timings;
    const address = this.peer?.address;
    const timings = {
      reused: started ? steps === undefined : null,
      dnsMs: steps?.dns ?? null,
      connectMs: steps?.connect ?? null,
      tlsMs: steps?.tls ?? null,
      firstByteMs:
        this.#responseAt === undefined || this.#requestAt === undefined
          ? null
          : Math.round(this.#responseAt - this.#requestAt),
    };
    return { timings, ...(address === undefined ? {} : { remoteAddress: address }) };
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}
