import { readFileSync } from 'node:fs';
import type { SignatureRejection } from '../src/verify.ts';

/** A row of vectors.json: a delivery as received, and the expected result of its verification. */
export interface SignatureVector {
  readonly name: string;
  readonly scheme: 'service' | 'standard';
  readonly secrets: readonly string[];
  /** The receiver's clock in unix seconds. */
  readonly now: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly encoding: 'utf8' | 'base64'; readonly content: string };
  readonly expected:
    | { readonly ok: true; readonly timestamp: number }
    | { readonly ok: false; readonly reason: SignatureRejection };
}

/** In the order of the file. */
export function readVectors(scheme: SignatureVector['scheme']): readonly SignatureVector[] {
  const text = readFileSync(new URL('./vectors.json', import.meta.url), 'utf8');
  return asDocument(JSON.parse(text)).vectors.filter((vector) => vector.scheme === scheme);
}

function asDocument(value: unknown): { vectors: readonly SignatureVector[] } {
  return value as { vectors: readonly SignatureVector[] };
}
