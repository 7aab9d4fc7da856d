import type { Socket } from 'node:net';
import type { ResponseHead } from './response-head.ts';
import { type ResponseEvents, ResponseParser } from './response-parser.ts';

class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';
  readonly code = 'connection_closed';

  constructor() {
    super('the connection was closed before the response was complete');
  }
}

export type Progress = {
  /** Bytes of the request body written to the socket; the receiver has read at most these. */
  readonly sentBytes: number;
  /** True if a byte of a response has arrived, even an interim one. */
  readonly hasBegun: boolean;
  /** The head of the final response, perhaps incomplete. */
  readonly head: ResponseHead | undefined;
};

export type RequestEvents = ResponseEvents & {
  /** Called once. An error closes the connection: ProtocolError, ConnectionClosedError, or of the socket. */
  readonly onEnd: (error: Error | undefined, progress: Progress) => void;
};

export type RequestToWrite = { readonly head: string; readonly body: Uint8Array };

/** Smaller requests are copied into one buffer: one packet, one TLS record. */
const maxCopiedBytes = 16 * 1024;
/** After a longer body that the receiver rejects, the connection isn't reused: a part may be unread in buffers. */
const maxUnreadBytes = 64 * 1024;
/** Longer bodies are written in pieces, with backpressure. */
const pieceBytes = 64 * 1024;

type Current = {
  readonly events: RequestEvents;
  readonly parser: ResponseParser;
  readonly body: Uint8Array;
  sentBytes: number;
  hasBegun: boolean;
};

export class Connection {
  readonly remoteAddress: string | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly openedAt = performance.now();
  requests = 0;
  idleSeconds: number | undefined;

  readonly #socket: Socket;
  readonly #onIdleEnd: (connection: Connection) => void;
  #current: Current | undefined;
  #statusCode = 0;
  #isOpen = true;

  /** `onIdleEnd`: the connection ended without a request in flight. */
  constructor(socket: Socket, onIdleEnd: (connection: Connection) => void) {
    this.#socket = socket;
    this.#onIdleEnd = onIdleEnd;
    this.remoteAddress = socket.remoteAddress;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

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

  get progress(): Progress | undefined {
    return this.#current === undefined ? undefined : progressOf(this.#current);
  }

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
    if (current === undefined) return this.#endIdle();
    const { parser } = current;
    current.hasBegun = true;
    let used: number;
    try {
      used = parser.push(chunk);
    } catch (error) {
      return this.#finish(error instanceof Error ? error : new Error(String(error)));
    }
    // A listener may have destroyed the connection.
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
