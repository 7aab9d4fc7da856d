import type { Socket } from 'node:net';
import type { ResponseHead } from './response-head.ts';
import { type ResponseEvents, ResponseParser } from './response-parser.ts';

/** The receiver closed the connection before the response was complete. */
class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';
  readonly code = 'connection_closed';

  constructor() {
    super('the connection was closed before the response was complete');
  }
}

/** The state of an exchange when it ended or was given up. */
export type Progress = {
  /** Bytes of the request body that were written to the socket. The receiver has read as many at most. */
  readonly sentBytes: number;
  /** Whether a byte of a response has arrived, be it an interim one. */
  readonly hasBegun: boolean;
  /** The head of the final response as far as it has arrived, from its status line on. */
  readonly head: ResponseHead | undefined;
};

export type RequestEvents = ResponseEvents & {
  /**
   * Once, at the end of the exchange. Without an error the response is complete. An error is a ProtocolError, a
   * ConnectionClosedError, or that of the socket, and closes the connection.
   */
  readonly onEnd: (error: Error | undefined, progress: Progress) => void;
};

export type RequestToWrite = { readonly head: string; readonly body: Uint8Array };

/** Up to this size, head and body are copied into one buffer, which is one packet and one TLS record. */
const maxCopiedBytes = 16 * 1024;
/**
 * A receiver that rejects a longer body may leave the rest of it unread, in buffers that this process can't see. Such a
 * connection is not reused.
 */
const maxUnreadBytes = 64 * 1024;
/** A longer body is written in pieces: each one when the socket has taken the one before it. */
const pieceBytes = 64 * 1024;

type Current = {
  readonly events: RequestEvents;
  readonly parser: ResponseParser;
  readonly body: Uint8Array;
  sentBytes: number;
  hasBegun: boolean;
};

/** One socket, and one request at a time on it. */
export class Connection {
  readonly remoteAddress: string | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly openedAt = performance.now();
  /** Requests that were written. */
  requests = 0;
  /** Seconds after which the receiver closes the connection when it is idle, if it says so. */
  idleSeconds: number | undefined;

  readonly #socket: Socket;
  readonly #onIdleEnd: (connection: Connection) => void;
  #current: Current | undefined;
  #statusCode = 0;
  #isOpen = true;

  /** `onIdleEnd`: the receiver closed the connection, or broke it, while no request was in flight. */
  constructor(socket: Socket, onIdleEnd: (connection: Connection) => void) {
    this.#socket = socket;
    this.#onIdleEnd = onIdleEnd;
    this.remoteAddress = socket.remoteAddress;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Whether another request may be written, after `onEnd`. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Writes a request. Only when none is in flight. */
  request({ head, body }: RequestToWrite, events: RequestEvents): void {
    const onHead: ResponseEvents['onHead'] = (response) => {
      this.#statusCode = response.statusCode;
      events.onHead(response);
    };
    const parser = new ResponseParser({ onHead, onBody: events.onBody });
    const current = { events, parser, body, sentBytes: 0, hasBegun: false };
    this.#current = current;
    this.requests += 1;
    this.#write(head, current);
  }

  /** The state of the exchange in flight. */
  get progress(): Progress | undefined {
    return this.#current === undefined ? undefined : progressOf(this.#current);
  }

  /** Closes the connection at once. The exchange in flight gets no more events. */
  destroy(): void {
    this.#current = undefined;
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #write(head: string, current: Current): void {
    const socket = this.#socket;
    const { body } = current;
    if (head.length + body.byteLength <= maxCopiedBytes) {
      const bytes = Buffer.allocUnsafe(head.length + body.byteLength);
      bytes.write(head, 'latin1');
      bytes.set(body, head.length);
      socket.write(bytes);
      current.sentBytes = body.byteLength;
      return;
    }
    socket.cork();
    socket.write(head, 'latin1');
    this.#writePiece(current);
    socket.uncork();
  }

  #writePiece(current: Current): void {
    const { body, sentBytes } = current;
    const piece = body.subarray(sentBytes, sentBytes + pieceBytes);
    this.#socket.write(piece, (error) => {
      if (error != null || this.#current !== current) return;
      current.sentBytes += piece.byteLength;
      if (current.sentBytes < body.byteLength) this.#writePiece(current);
    });
  }

  readonly #onData = (chunk: Buffer): void => {
    const current = this.#current;
    // Nobody asked for it.
    if (current === undefined) return this.#endIdle();
    const { parser } = current;
    current.hasBegun = true;
    let used: number;
    try {
      used = parser.push(chunk);
    } catch (error) {
      return this.#finish(error instanceof Error ? error : new Error(String(error)));
    }
    // The events may have destroyed the connection.
    if (!parser.isComplete || this.#current !== current) return;
    this.#isOpen &&= used === chunk.length && this.#mayBeReused(current);
    this.idleSeconds = parser.framing?.idleSeconds;
    this.#finish(undefined);
  };

  #mayBeReused({ parser, body, sentBytes }: Current): boolean {
    const isSent = this.#socket.writableLength === 0 && sentBytes === body.byteLength;
    const isRead = isSent && (this.#statusCode < 300 || body.byteLength <= maxUnreadBytes);
    return isRead && parser.framing?.keepAlive === true;
  }

  readonly #onEnd = (): void => {
    this.#isOpen = false;
    const current = this.#current;
    if (current === undefined) this.#endIdle();
    else this.#finish(current.parser.end() ? undefined : new ConnectionClosedError());
  };

  readonly #onError = (error: Error): void => {
    this.#isOpen = false;
    if (this.#current === undefined) this.#endIdle();
    else this.#finish(error);
  };

  readonly #onClose = (): void => {
    this.#isOpen = false;
    if (this.#current === undefined) this.#onIdleEnd(this);
    else this.#finish(new ConnectionClosedError());
  };

  #endIdle(): void {
    this.destroy();
    this.#onIdleEnd(this);
  }

  #finish(error: Error | undefined): void {
    const current = this.#current;
    this.#current = undefined;
    if (error !== undefined) this.#isOpen = false;
    if (!this.#isOpen) this.#socket.destroy();
    current?.events.onEnd(error, progressOf(current));
  }
}

function progressOf({ parser, sentBytes, hasBegun }: Current): Progress {
  return { sentBytes, hasBegun, head: parser.headSoFar };
}
