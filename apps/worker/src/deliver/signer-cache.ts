import type { SealedKey } from '@finhook/core';
import { createAsymmetricSigner, createSigner, type Signer } from '@finhook/signing';

/** Keeps what was made of the keys that were used last, because to decrypt and read a key is dearer than to sign with it. */
function createCache<S>(capacity: number, make: (key: string) => S): (key: SealedKey) => S {
  const made = new Map<string, S>();
  return ({ id, open }) => {
    const signer = made.get(id) ?? make(open());
    made.delete(id);
    made.set(id, signer);
    if (made.size > capacity) {
      for (const oldest of made.keys()) {
        made.delete(oldest);
        break;
      }
    }
    return signer;
  };
}

/** The signers of keys, by their ciphertexts: a rotation is noticed as soon as its endpoint is loaded again. */
export interface SignerCache {
  /** For `whsec_…`. */
  readonly symmetric: (secret: SealedKey) => Signer;
  /** For `whsk_…`. */
  readonly asymmetric: (privateKey: SealedKey) => Pick<Signer, 'standard'>;
}

/** Each kind of signer is kept for at most `capacity` keys. */
export function createSignerCache(capacity: number): SignerCache {
  return { symmetric: createCache(capacity, createSigner), asymmetric: createCache(capacity, createAsymmetricSigner) };
}
