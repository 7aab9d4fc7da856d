import type { SignatureRefusal } from './signature-refusal-hints.ts';

/** Outcome of a verification. `timestamp`: when the attempt was signed, in unix seconds. */
export type SignatureCheck =
  | { readonly ok: true; readonly timestamp: number }
  | { readonly ok: false; readonly reason: SignatureRefusal };
