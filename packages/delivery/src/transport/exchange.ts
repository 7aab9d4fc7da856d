import { isIP } from 'node:net';
import type { Connection, Progress, RequestToWrite } from '../http1/connection.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import type { EchoRedaction } from '../redact/redact-echo.ts';
import { type BodyForm, bodyFormOf, bodySnippet, responseHeaders } from '../redact/response-excerpt.ts';
import { errorClassOf, errorCodeOf, errorMessageOf, isSystemError } from './error-class.ts';
import { ConnectTimeoutError } from './open-socket.ts';
import type { ConnectSteps } from './peer.ts';
import type { ReceivedResponse, SendFailure, SendResult, SendTimings } from './send-result.ts';
import { closedAt, connectTimeoutAt, type Reached, stageOf, timeoutAt } from './timeouts.ts';

type ExchangeEnd = {
  readonly resolve: (result: SendResult) => void;
  readonly reject: (error: Error) => void;
  /** The connection may be reused. */
  readonly onFree: (connection: Connection) => void;
};

const maxResponseBytes = 64 * 1024;
const maxSnippetBytes = 4 * 1024;
// A secret across the end of the snippet must be complete to be redacted.
const redactionSlack = 512;

/**
 * One request and its response. The status decides even if the body is cut off or too long, but not if it has not ended
 * at the deadline.
 */
export class Exchange {
  readonly #request: RequestToWrite;
  readonly #timeoutMs: number;
  readonly #echo: EchoRedaction;
  readonly #end: ExchangeEnd;
  readonly #startedAt = performance.now();
  readonly #deadline: NodeJS.Timeout;
  #connecting: { readonly steps: ConnectSteps; readonly cancel: () => void; readonly isLiteral: boolean } | undefined;
  #connection: Connection | undefined;
  #requestAt = 0;
  #responseAt = 0;
  #isSettled = false;
  #statusCode = 0;
  #headers: Record<string, string> = {};
  #form: BodyForm | undefined;
  #chunks: Uint8Array[] = [];
  #receivedBytes = 0;
  #keptBytes = 0;

  constructor(request: RequestToWrite, timeoutMs: number, echo: EchoRedaction, end: ExchangeEnd) {
    this.#request = request;
    this.#timeoutMs = timeoutMs;
    this.#echo = echo;
    this.#end = end;
    this.#deadline = setTimeout(() => this.#timeOut(), timeoutMs);
  }

  /** `cancel` aborts the opening of the connection. */
  connecting(steps: ConnectSteps, host: string, cancel: () => void): void {
    this.#connecting = { steps, cancel, isLiteral: isIP(host) !== 0 };
  }

  run(connection: Connection): void {
    this.#connection = connection;
    this.#requestAt = performance.now();
    connection.request(this.#request, { onHead: this.#onHead, onBody: this.#onBody, onEnd: this.#onEnd });
  }

  /** No connection was opened, or it ended before a complete head of a response. */
  fail(error: Error, progress?: Progress): void {
    if (isSystemError(error)) return this.#settle(() => this.#end.reject(error));
    const errorClass = errorClassOf(error);
    const errorCode = errorCodeOf(error);
    const connecting = error instanceof ConnectTimeoutError ? this.#connecting : undefined;
    const late = connecting && connectTimeoutAt(connecting.steps, connecting.isLiteral);
    const closed = errorClass === 'reset' && progress ? closedAt(this.#reached(progress), errorCode) : undefined;
    const message = closed ?? errorMessageOf(errorClass, error);
    this.#fail({ errorClass, errorCode, message, ...late }, progress);
  }

  #fail(reason: Pick<SendFailure, 'errorClass' | 'errorCode' | 'message'>, progress: Progress | undefined): void {
    this.#settle(() =>
      this.#end.resolve({
        kind: 'error',
        ...reason,
        response: this.#receivedUntil(progress),
        hasResponseBegun: progress?.hasBegun === true,
        durationMs: this.#elapsedMs(),
        sentBytes: progress?.sentBytes ?? 0,
        ...this.#whereAndWhen(),
      }),
    );
  }

  readonly #onHead = ({ statusCode, headers }: ResponseHead): void => {
    this.#responseAt = performance.now();
    this.#statusCode = statusCode;
    this.#headers = responseHeaders(headers, this.#echo.redact);
    this.#form = bodyFormOf(statusCode, headers);
  };

  readonly #onBody = (chunk: Buffer): void => {
    this.#receivedBytes += chunk.byteLength;
    const room = maxSnippetBytes + Math.max(redactionSlack, this.#echo.longest) - this.#keptBytes;
    if (room > 0) {
      const kept = chunk.byteLength > room ? chunk.subarray(0, room) : chunk;
      this.#chunks.push(kept);
      this.#keptBytes += kept.byteLength;
    }
    if (this.#receivedBytes <= maxResponseBytes) return;
    this.#connection?.destroy();
    this.#respond(false);
  };

  readonly #onEnd = (error: Error | undefined, progress: Progress): void => {
    if (error !== undefined && this.#statusCode === 0) return this.fail(error, progress);
    const connection = this.#connection;
    if (error === undefined && connection?.isOpen === true) this.#end.onFree(connection);
    this.#respond(error !== undefined);
  };

  #timeOut(): void {
    const { isLiteral = false, steps, cancel } = this.#connecting ?? {};
    const progress = this.#connection?.progress;
    const reached = progress && this.#reached(progress);
    this.#connection?.destroy();
    if (progress === undefined) cancel?.();
    const stage = steps === undefined ? 'response' : stageOf(steps, isLiteral);
    this.#fail({ errorClass: 'timeout', ...timeoutAt(reached ?? { stage }, this.#timeoutMs) }, progress);
  }

  #reached({ sentBytes, hasBegun, head }: Progress): Reached {
    const bodyBytes = this.#request.body.byteLength;
    if (this.#statusCode !== 0) return { stage: 'body', statusCode: this.#statusCode };
    if (head !== undefined) return { stage: 'head', statusCode: head.statusCode };
    if (hasBegun) return { stage: 'response', hasBegun };
    return sentBytes < bodyBytes ? { stage: 'request', sentBytes, bodyBytes } : { stage: 'response' };
  }

  #respond(responseTruncated: boolean): void {
    this.#settle(() =>
      this.#end.resolve({
        kind: 'response',
        ...this.#received(),
        responseTruncated,
        durationMs: this.#elapsedMs(),
        ...this.#whereAndWhen(),
      }),
    );
  }

  #receivedUntil(progress: Progress | undefined): ReceivedResponse | undefined {
    if (this.#statusCode !== 0) return this.#received();
    const head = progress?.head;
    if (head === undefined) return undefined;
    return { statusCode: head.statusCode, headers: responseHeaders(head.headers, this.#echo.redact), bodySnippet: '' };
  }

  #received(): ReceivedResponse {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    return {
      statusCode: this.#statusCode,
      headers: this.#headers,
      bodySnippet: bodySnippet(bytes, this.#form, maxSnippetBytes, this.#echo.redact),
    };
  }

  #settle(report: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    report();
    this.#chunks = [];
  }

  #whereAndWhen(): { remoteAddress?: string; timings: SendTimings } {
    const connection = this.#connection;
    const steps = this.#connecting?.steps;
    const address = connection?.remoteAddress ?? steps?.address;
    const timings = {
      reused: connection === undefined ? null : steps === undefined,
      dnsMs: steps?.dns ?? null,
      connectMs: steps?.connect ?? null,
      tlsMs: steps?.tls ?? null,
      firstByteMs: this.#responseAt === 0 ? null : Math.round(this.#responseAt - this.#requestAt),
    };
    return { timings, ...(address === undefined ? {} : { remoteAddress: address }) };
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}
