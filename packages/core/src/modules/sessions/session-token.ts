import { randomBytes } from 'node:crypto';
import type { Core } from '../../kernel/context.ts';
import { hashKey } from '../accounts/api-keys/key-format.ts';

const BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A secret of 256 random bits in base64url, for a session or a link. */
export function generateToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** The hashes under which a token may be stored, the current pepper's first; empty for a malformed token. */
export function tokenHashes(core: Pick<Core, 'secrets'>, token: string): Buffer[] {
  return FORM.test(token) ? core.secrets.peppers.map((pepper) => hashKey(token, pepper)) : [];
}

export function storedHash(core: Pick<Core, 'secrets'>, token: string): Buffer {
  const [hash] = tokenHashes(core, token);
  if (!hash) throw new Error('No pepper is configured.');
  return hash;
}
