const windowBytes = 2048;

/** Splits bytes into latin1 lines. A line ends with CRLF or, as RFC 9112 section 2.2 allows, with LF. */
export class LineReader {
  /** Bytes since `restart`, including line ends. */
  bytes = 0;
  #rest = '';

  restart(): void {
    this.bytes = 0;
    this.#rest = '';
  }

  /** Calls `onLine` until it returns true, and `onBytes` before buffering a part of a line. Returns the next offset. */
  read(chunk: Buffer, start: number, onLine: (line: string) => boolean, onBytes: () => void): number {
    let offset = start;
    while (offset < chunk.length) {
      const text = chunk.toString('latin1', offset, Math.min(offset + windowBytes, chunk.length));
      let from = 0;
      for (let lf = text.indexOf('\n'); lf >= 0; lf = text.indexOf('\n', from)) {
        this.bytes += lf + 1 - from;
        onBytes();
        const piece = text.slice(from, lf);
        const line = this.#rest === '' ? piece : this.#rest + piece;
        this.#rest = '';
        from = lf + 1;
        if (onLine(line.endsWith('\r') ? line.slice(0, -1) : line)) return offset + from;
      }
      this.bytes += text.length - from;
      onBytes();
      this.#rest += text.slice(from);
      offset += text.length;
    }
    return offset;
  }
}
