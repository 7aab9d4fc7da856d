import { createAsymmetricSigner, createSigner, type Signer } from '@finhook/signing';

/** Keeps what was made of the keys that were used last, because reading a key is dearer than signing with it. */
function createCache<S>(capacity: number, make: (key: string) => S): (key: string) => S {
  const made = new Map<string, S>();
  return (key) => {
    const signer = made.get(key) ?? make(key);
    made.delete(key);
    made.set(key, signer);
    if (made.size > capacity) {
      for (const oldest of made.keys()) {
        made.delete(oldest);
        break;
      }
    }
    return signer;
  };
}

/** The signers of keys, by the keys themselves: a rotation is noticed as soon as its endpoint is loaded again. */
export interface SignerCache {
  /** For `whsec_…`. */
  readonly symmetric: (secret: string) => Signer;
  /** For `whsk_…`. */
  readonly asymmetric: (privateKey: string) => Pick<Signer, 'standard'>;
}

/** Each kind of signer is kept for at most `capacity` keys. */
export function createSignerCache(capacity: number): SignerCache {
  return { symmetric: createCache(capacity, createSigner), asymmetric: createCache(capacity, createAsymmetricSigner) };
}
