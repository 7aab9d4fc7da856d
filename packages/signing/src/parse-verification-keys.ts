import type { KeyObject } from 'node:crypto';
import { parsePublicKey } from './ed25519-key.ts';
import { parseWebhookSecret } from './parse-webhook-secret.ts';

/** What Standard Webhooks signatures are checked with. */
export interface VerificationKeys {
  /** For `v1`: shared secrets. */
  readonly shared: readonly KeyObject[];
  /** For `v1a`: Ed25519 public keys. */
  readonly public: readonly KeyObject[];
}

/** Reads secrets (`whsec_…`) and public keys (`whpk_…`); undefined when there is none or any is malformed. */
export function parseVerificationKeys(texts: readonly string[]): VerificationKeys | undefined {
  const shared = texts.map(parseWebhookSecret).filter((keys) => keys !== undefined);
  const publicKeys = texts.map(parsePublicKey).filter((key) => key !== undefined);
  const found = shared.length + publicKeys.length;
  if (found === 0 || found !== texts.length) return undefined;
  return { shared: shared.map(({ standard }) => standard), public: publicKeys };
}
