import { ChunkedBody } from './chunked-body.ts';
import { type Framing, framingOf } from './framing.ts';
import { HeadReader, type ResponseHead } from './response-head.ts';

export type ResponseEvents = {
  readonly onHead: (head: ResponseHead) => void;
  /** A view of the input, never empty. */
  readonly onBody: (data: Buffer) => void;
};

/** Parses one response to GET or POST, in linear time and bounded memory. Never throws after it is complete. */
export class ResponseParser {
  readonly #events: ResponseEvents;
  readonly #headReader = new HeadReader();
  #framing: Framing | undefined;
  #chunked: ChunkedBody | undefined;
  #left = 0;
  #isComplete = false;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get framing(): Framing | undefined {
    return this.#framing;
  }

  /** The final head, perhaps incomplete or invalid. */
  get headSoFar(): ResponseHead | undefined {
    return this.#headReader.headSoFar;
  }

  /** Returns the number of bytes consumed; fewer than all only when complete. @throws ProtocolError */
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

  /** The sender closed the connection. Returns true if that completes the response. */
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
