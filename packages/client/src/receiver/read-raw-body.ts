import { types } from 'node:util';

/**
 * Gives the bytes of a raw body without copying them (a string is encoded as UTF-8), or the reason why it has none:
 * callers without types pass what their framework left in `request.body`.
 */
export function readRawBody(body: unknown): Uint8Array | 'missing_body' | 'body_already_parsed' {
  if (body === undefined || body === null) return 'missing_body';
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (types.isUint8Array(body)) return body;
  if (types.isArrayBuffer(body)) return new Uint8Array(body);
  return 'body_already_parsed';
}
