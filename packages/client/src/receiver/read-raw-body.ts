import { types } from 'node:util';

/**
 * Gives the bytes of a raw body without copying them (a string is encoded as UTF-8), or the reason why it has none:
 * callers without types pass what their framework left in `request.body`.
 */
export function readRawBody(body: unknown): Uint8Array | 'missing_body' | 'body_not_read' | 'body_already_parsed' {
  if (body === undefined || body === null) return 'missing_body';
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (types.isUint8Array(body)) return body;
  if (types.isArrayBuffer(body)) return new Uint8Array(body);
  if (typeof body !== 'object') return 'body_already_parsed';
  return isUnread(body) ? 'body_not_read' : 'body_already_parsed';
}

/** A promise, a stream of Node's or the web's, a Blob or a whole request: by shape, as nothing parsed has methods. */
function isUnread(body: object): boolean {
  return ['then', 'pipe', 'getReader', 'arrayBuffer'].some((name) => typeof Reflect.get(body, name) === 'function');
}
