import { ProtocolError } from './protocol-error.ts';
import type { ResponseHead } from './response-head.ts';

type BodyFraming =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' };

export type Framing = {
  readonly body: BodyFraming;
  readonly keepAlive: boolean;
  readonly idleSeconds: number | undefined;
};

/** Reads the framing of a response to GET or POST (RFC 9112 sections 6.3 and 9.3). @throws ProtocolError */
export function framingOf({ statusCode, minorVersion, headers }: ResponseHead): Framing {
  let length: number | undefined;
  let encodings = '';
  let connection = '';
  let idleSeconds: number | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] ?? '';
    switch (headers[i]) {
      case 'content-length':
        length = lengthOf(value, length);
        break;
      case 'transfer-encoding':
        encodings = `${encodings},${value.toLowerCase()}`;
        break;
      case 'connection':
        connection = `${connection},${value.toLowerCase()}`;
        break;
      case 'keep-alive':
        idleSeconds = Number(/(?:^|[\s,;])timeout\s*=\s*"?(\d{1,9})/i.exec(value)?.[1] ?? Number.NaN);
        break;
      default:
    }
  }
  const isKept = minorVersion === 0 ? hasOption(connection, 'keep-alive') : !hasOption(connection, 'close');
  const body = bodyFraming(statusCode, length, encodings);
  return {
    body,
    // HTTP/1.0 with a transfer encoding is not trusted (RFC 9112 section 6.1).
    keepAlive: isKept && body.kind !== 'close' && (minorVersion === 1 || encodings === ''),
    idleSeconds: Number.isNaN(idleSeconds) ? undefined : idleSeconds,
  };
}

function bodyFraming(statusCode: number, length: number | undefined, encodings: string): BodyFraming {
  if (statusCode === 204 || statusCode === 304) return { kind: 'length', bytes: 0 };
  if (encodings !== '') {
    if (!/(?:^|[\s,])chunked\s*$/.test(encodings)) return { kind: 'close' };
    if (length !== undefined) throw new ProtocolError('length_and_chunked');
    return { kind: 'chunked' };
  }
  return length === undefined ? { kind: 'close' } : { kind: 'length', bytes: length };
}

/** A length may be repeated if all are equal. */
function lengthOf(value: string, before: number | undefined): number {
  if (!/^\d+(?:[ \t]*,[ \t]*\d+)*$/.test(value)) throw new ProtocolError('content_length_invalid');
  let length = before;
  for (const one of value.split(',')) {
    const bytes = Number(one);
    if (!Number.isSafeInteger(bytes)) throw new ProtocolError('content_length_invalid');
    if (length !== undefined && length !== bytes) throw new ProtocolError('content_length_conflict');
    length = bytes;
  }
  return length ?? 0;
}

function hasOption(list: string, option: string): boolean {
  return list !== '' && list.split(',').some((one) => one.trim() === option);
}
