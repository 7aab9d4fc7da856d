import { createHmac, type Hmac, type KeyObject } from 'node:crypto';

/** HMAC-SHA256 over `<t>.<body>`, the bytes that `x-service-signature` covers. The body is not copied. */
export function serviceHmac(key: KeyObject, timestamp: number, body: Uint8Array): Hmac {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body);
}
