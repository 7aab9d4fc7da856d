import { randomBytes } from 'node:crypto';

const secretBytes = 32;

/**
 * Makes the secret of one endpoint: `whsec_` and the standard base64 of 32 random bytes (Standard Webhooks asks for
 * 24 to 64). Throws RangeError when the source of randomness gives another number of bytes.
 */
export function generateWebhookSecret(random: (size: number) => Uint8Array = randomBytes): string {
  const bytes = random(secretBytes);
  if (bytes.length !== secretBytes) throw new RangeError(`expected ${secretBytes} random bytes, got ${bytes.length}`);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}
