import { createSigner } from './create-signer.ts';

/**
 * Makes the `x-service-signature` header of one delivery: `t=<unix seconds>,v1=<hex>`. `timestamp` is in unix seconds,
 * `body` the exact bytes sent. Throws as `createSigner` does; use that to sign more than once with a secret.
 */
export function signServiceSignature(input: { secret: string; timestamp: number; body: Uint8Array }): string {
  return createSigner(input.secret).service(input.timestamp, input.body);
}
