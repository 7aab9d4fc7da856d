import { createHmac, type Hmac, type KeyObject } from 'node:crypto';

/** HMAC-SHA256 over `<id>.<t>.<body>`, the bytes that Standard Webhooks 1.0.0 signs. The body is not copied. */
export function standardHmac(key: KeyObject, id: string, timestamp: number, body: Uint8Array): Hmac {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
}
