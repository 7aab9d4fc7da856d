/** Bytes that are decoded at once: enough for most heads, and little of a body that follows. */
const windowBytes = 2048;

/**
 * Cuts bytes into lines, which may arrive in pieces. A line ends with LF, which a CR may precede (RFC 9112 section 2.2
 * allows a bare LF). The text is latin1: one character per byte.
 */
export class LineReader {
  /** Bytes read since `restart`, the line ends included. */
  bytes = 0;
  #rest = '';

  restart(): void {
    this.bytes = 0;
    this.#rest = '';
  }

  /**
   * Calls `onLine` for each line until it returns true, and returns the offset behind the last byte read. Throws what
   * `onLine` or `onBytes`, which is called before each piece is kept, throws.
   */
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
