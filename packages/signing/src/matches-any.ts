import { timingSafeEqual } from 'node:crypto';

/**
 * True when any offered signature equals any expected one. Each comparison takes constant time and none is left out,
 * so that the time taken tells neither how much of a signature is right nor which secret is in use.
 */
export function matchesAny(offered: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  let matched = false;
  for (const signature of offered) {
    for (const digest of expected) {
      matched = (signature.length === digest.length && timingSafeEqual(signature, digest)) || matched;
    }
  }
  return matched;
}
