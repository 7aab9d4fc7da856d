import { createSigner, type Signer } from '@finhook/signing';

/** Keeps the signers of the secrets that were used last, because reading a secret is dearer than signing with it. */
export function createSignerCache(capacity: number): (secret: string) => Signer {
  const signers = new Map<string, Signer>();
  return (secret) => {
    const signer = signers.get(secret) ?? createSigner(secret);
    signers.delete(secret);
    signers.set(secret, signer);
    if (signers.size > capacity) {
      for (const oldest of signers.keys()) {
        signers.delete(oldest);
        break;
      }
    }
    return signer;
  };
}
