import { maxHeaderBytes } from './limits.ts';
import { LineReader } from './line-reader.ts';
import { ProtocolError } from './protocol-error.ts';

/** Maximum overhead of chunk sizes, extensions and line ends: this, and one byte for each byte of data. */
const freeOverheadBytes = 64 * 1024;
const overheadPerByte = 8;

const chunkSize = /^([\da-f]{1,13})[ \t]*(?:;.*)?$/i;

/** Decodes chunked bodies (RFC 9112 section 7.1). Skips extensions and trailers. */
export class ChunkedBody {
  readonly #onData: (data: Buffer) => void;
  readonly #lines = new LineReader();
  #left = 0;
  #overheadLeft = freeOverheadBytes;
  #expects: 'size' | 'data' | 'data-end' | 'trailer' = 'size';
  isDone = false;

  constructor(onData: (data: Buffer) => void) {
    this.#onData = onData;
  }

  /** Returns the offset after the body. @throws ProtocolError */
  read(chunk: Buffer, start: number): number {
    let offset = start;
    while (offset < chunk.length && !this.isDone) {
      if (this.#expects === 'data') offset = this.#readData(chunk, offset);
      else offset = this.#lines.read(chunk, offset, this.#onLine, this.#onBytes);
    }
    return offset;
  }

  #readData(chunk: Buffer, offset: number): number {
    const end = Math.min(offset + this.#left, chunk.length);
    this.#left -= end - offset;
    this.#overheadLeft += overheadPerByte * (end - offset);
    if (this.#left === 0) this.#expects = 'data-end';
    this.#onData(chunk.subarray(offset, end));
    return end;
  }

  readonly #onBytes = (): void => {
    const { bytes } = this.#lines;
    if (this.#expects === 'data-end' && bytes > 2) throw new ProtocolError('chunk_end_missing');
    if (this.#expects === 'trailer') {
      if (bytes > maxHeaderBytes) throw new ProtocolError('trailers_too_large');
    } else if (bytes > this.#overheadLeft) throw new ProtocolError('chunk_overhead');
  };

  readonly #onLine = (line: string): boolean => {
    if (this.#expects === 'trailer') {
      this.isDone = line === '';
      return this.isDone;
    }
    this.#overheadLeft -= this.#lines.bytes;
    this.#lines.restart();
    if (this.#expects === 'data-end') {
      if (line !== '') throw new ProtocolError('chunk_end_missing');
      this.#expects = 'size';
      return false;
    }
    const digits = chunkSize.exec(line)?.[1];
    if (digits === undefined) throw new ProtocolError('chunk_size_invalid');
    this.#left = Number.parseInt(digits, 16);
    this.#expects = this.#left === 0 ? 'trailer' : 'data';
    return this.#left > 0;
  };
}
