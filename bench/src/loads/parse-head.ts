/** Where the body of an HTTP/1.1 answer lies in the bytes that came so far. */
export interface ResponseHead {
  readonly status: number;
  /** First byte of the body, and the byte after its last one. */
  readonly start: number;
  readonly end: number;
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i;

/** Reads the head of an answer; undefined while it is incomplete. @throws Error when it has no Content-Length. */
export function parseHead(bytes: Buffer): ResponseHead | undefined {
  const blank = bytes.indexOf('\r\n\r\n');
  if (blank === -1) return undefined;
  const head = bytes.toString('latin1', 0, blank);
  const length = lengthHeader.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 ') || length === undefined) throw new Error(`Not the answer of a service: ${head}`);
  const start = blank + 4;
  return { status: Number(head.slice(9, 12)), start, end: start + Number(length) };
}
