import { maxHeaderBytes, maxInterimBytes, maxInterimResponses } from './limits.ts';
import { LineReader } from './line-reader.ts';
import { ProtocolError } from './protocol-error.ts';

/** Alternating names (lower case) and values (latin1), in order of arrival. */
export type RawHeaders = readonly string[];

export type ResponseHead = {
  readonly statusCode: number;
  /** Higher minor versions are read as 1 (RFC 9110 section 2.5). */
  readonly minorVersion: 0 | 1;
  readonly headers: RawHeaders;
};

const statusLine = /^HTTP\/1\.(\d) ([1-9]\d\d)(?: |$)/;
const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Reads the head of a response, and skips interim responses up to the limits. */
export class HeadReader {
  readonly #lines = new LineReader();
  #statusCode = 0;
  #minorVersion: 0 | 1 = 1;
  #headers: string[] = [];
  #isFinal = false;
  #interimResponses = 0;
  #interimBytes = 0;

  get head(): ResponseHead | undefined {
    if (!this.#isFinal) return undefined;
    return { statusCode: this.#statusCode, minorVersion: this.#minorVersion, headers: this.#headers };
  }

  get headSoFar(): ResponseHead | undefined {
    const statusCode = this.#statusCode;
    if (statusCode < 200 && statusCode !== 101) return undefined;
    return { statusCode, minorVersion: this.#minorVersion, headers: this.#headers };
  }

  /** Returns the offset after the heads. @throws ProtocolError */
  read(chunk: Buffer, offset: number): number {
    return this.#lines.read(chunk, offset, this.#onLine, this.#onBytes);
  }

  readonly #onBytes = (): void => {
    const { bytes } = this.#lines;
    // An unterminated status line after an interim response counts as another one.
    const isUnknown = this.#statusCode === 0 && this.#interimResponses > 0;
    const isInterim = isUnknown || (this.#statusCode >= 100 && this.#statusCode < 200);
    if (isInterim && this.#interimBytes + bytes > maxInterimBytes)
      throw new ProtocolError('too_many_interim_responses');
    if (bytes > maxHeaderBytes) throw new ProtocolError('headers_too_large');
  };

  readonly #onLine = (line: string): boolean => {
    if (this.#statusCode === 0) this.#onStatusLine(line);
    else if (line === '') return this.#onHeadEnd();
    else this.#onHeader(line);
    return false;
  };

  #onStatusLine(line: string): void {
    // Skips an empty line before the response: some receivers send one after a body.
    if (line === '') return;
    const match = statusLine.exec(line);
    if (match === null) throw new ProtocolError(wrongStatusLine(line));
    this.#minorVersion = match[1] === '0' ? 0 : 1;
    this.#statusCode = Number(match[2]);
    this.#onBytes();
  }

  #onHeader(line: string): void {
    const headers = this.#headers;
    const last = headers.length - 1;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (last < 0) throw new ProtocolError('header_folding');
      // obs-fold becomes a space (RFC 9112 section 5.2).
      const more = valueOf(line);
      const before = headers[last] ?? '';
      if (more !== '') headers[last] = before === '' ? more : `${before} ${more}`;
      return;
    }
    const colon = line.indexOf(':');
    if (colon < 0) throw new ProtocolError('header_without_colon');
    const name = line.slice(0, colon);
    if (!fieldName.test(name)) throw new ProtocolError(wrongName(name));
    headers.push(name.toLowerCase(), valueOf(line.slice(colon + 1)));
  }

  #onHeadEnd(): boolean {
    const statusCode = this.#statusCode;
    if (statusCode === 101) throw new ProtocolError('switching_protocols');
    this.#isFinal = statusCode >= 200;
    if (this.#isFinal) return true;
    this.#interimResponses += 1;
    this.#interimBytes += this.#lines.bytes;
    if (this.#interimResponses > maxInterimResponses) throw new ProtocolError('too_many_interim_responses');
    this.#lines.restart();
    this.#statusCode = 0;
    this.#headers = [];
    return false;
  }
}

function valueOf(text: string): string {
  if (text.includes('\r') || text.includes('\0')) throw new ProtocolError('header_value_invalid');
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function wrongStatusLine(line: string): 'not_http' | 'http_version' | 'status_out_of_range' {
  if (/^HTTP\/1\.\d /.test(line)) return 'status_out_of_range';
  return /^HTTP\/\d/.test(line) ? 'http_version' : 'not_http';
}

function wrongName(name: string): 'space_before_colon' | 'header_name_invalid' {
  const bare = name.trimEnd();
  return bare !== name && fieldName.test(bare) ? 'space_before_colon' : 'header_name_invalid';
}
