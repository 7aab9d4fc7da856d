import { ChunkedBody } from './chunked-body.ts';
import { type Framing, framingOf } from './framing.ts';
import { HeadReader, type ResponseHead } from './response-head.ts';

export type ResponseEvents = {
  /** Once, for the final response. */
  readonly onHead: (head: ResponseHead) => void;
  /** A view of the bytes read, valid as long as their buffer. Never empty. */
  readonly onBody: (data: Buffer) => void;
};

/**
 * Parses one response to GET or POST from bytes that arrive in any pieces. Every byte is looked at once; what is kept is
 * bounded by the limits of the head. Nothing else but a ProtocolError is thrown, and none after the response is complete.
 */
export class ResponseParser {
  readonly #events: ResponseEvents;
  readonly #headReader = new HeadReader();
  #framing: Framing | undefined;
  #chunked: ChunkedBody | undefined;
  /** Bytes of a body with a length that are still to come. */
  #left = 0;
  #isComplete = false;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Known once the head has arrived. */
  get framing(): Framing | undefined {
    return this.#framing;
  }

  /** The final head as far as it has arrived, also when it breaks the protocol. */
  get headSoFar(): ResponseHead | undefined {
    return this.#headReader.headSoFar;
  }

  /** Returns how many of the bytes belong to the response: less than all only when it is complete. @throws ProtocolError */
  push(chunk: Buffer): number {
    let offset = 0;
    if (this.#framing === undefined) {
      offset = this.#headReader.read(chunk, 0);
      const { head } = this.#headReader;
      if (head === undefined) return offset;
      this.#begin(head);
    }
    if (offset < chunk.length && !this.#isComplete) offset = this.#readBody(chunk, offset);
    return offset;
  }

  /** The sender has closed the connection. Returns true if the response is complete with that. */
  end(): boolean {
    if (this.#framing?.body.kind === 'close') this.#isComplete = true;
    return this.#isComplete;
  }

  #begin(head: ResponseHead): void {
    const framing = framingOf(head);
    const { body } = framing;
    if (body.kind === 'chunked') this.#chunked = new ChunkedBody(this.#events.onBody);
    else if (body.kind === 'length') this.#left = body.bytes;
    this.#isComplete = body.kind === 'length' && body.bytes === 0;
    this.#framing = framing;
    this.#events.onHead(head);
  }

  #readBody(chunk: Buffer, start: number): number {
    if (this.#chunked !== undefined) {
      const end = this.#chunked.read(chunk, start);
      this.#isComplete = this.#chunked.isDone;
      return end;
    }
    if (this.#framing?.body.kind === 'close') {
      this.#events.onBody(start === 0 ? chunk : chunk.subarray(start));
      return chunk.length;
    }
    const end = Math.min(start + this.#left, chunk.length);
    this.#left -= end - start;
    this.#isComplete = this.#left === 0;
    this.#events.onBody(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end));
    return end;
  }
}
