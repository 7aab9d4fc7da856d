import type { Scope } from '@finhook/contracts';
import { type Access, fullAccess } from '../../kernel/access.ts';
import type { Core } from '../../kernel/context.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { statement } from '../../kernel/queryable.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';

/** The holder of a valid key. */
export interface Principal {
  keyId: string;
  keyName: string;
  accountId: string;
  scope: Scope;
  access: Access;
}

interface KeyRow {
  id: string;
  name: string;
  account_id: string;
  scope: Scope;
  expires_at: string | null;
  revoked_at: string | null;
}

interface CachedKey {
  row: KeyRow | undefined;
  until: number;
}

/** How long a look-up is remembered: a revocation works everywhere within a second. */
const CACHE_MS = 500;
const CACHE_SIZE = 10_000;

const findKey = statement(
  'find_api_key',
  'SELECT id, name, account_id, scope, expires_at, revoked_at FROM api_key WHERE hash = ANY ($1::bytea[])',
);
const touchKeys = statement(
  'touch_api_keys',
  `UPDATE api_key k SET last_used_at = u.at, last_used_ip = u.ip
   FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS u (id, at, ip)
   WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at - interval '1 minute')`,
);

export interface Authenticator {
  /** Who holds `key`; throws a 401 refusal that names the reason. `ip` is remembered as the key's last address. */
  authenticate(key: string, ip: string): Promise<Principal>;
  /** Writes the last uses that were remembered; called every few seconds and at shutdown. */
  flush(): Promise<void>;
}

function invalidKey(): DomainError {
  return new DomainError('invalid_api_key', {
    detail: 'The API key is not known. Check that it was copied whole and belongs to this service.',
  });
}

/** Looks keys up by their hash, remembers answers briefly, and notes last uses in the background. */
export function createAuthenticator(core: Core): Authenticator {
  const cache = new Map<string, CachedKey>();
  const used = new Map<string, { at: Date; ip: string }>();

  async function lookUp(key: string): Promise<KeyRow | undefined> {
    const now = core.clock.now().getTime();
    const hashes = core.secrets.peppers.map((pepper) => hashKey(key, pepper));
    // The cache is keyed by hash, so that no key stays in memory longer than its request.
    const cacheKey = hashes[0]?.toString('base64') ?? '';
    const cached = cache.get(cacheKey);
    if (cached && cached.until > now) return cached.row;
    const [row] = await core.database.query<KeyRow>(findKey, [hashes]);
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(cacheKey, { row, until: now + CACHE_MS });
    return row;
  }

  return {
    async authenticate(key, ip) {
      if (!isWellFormedKey(key)) throw invalidKey();
      const row = await lookUp(key);
      if (!row) throw invalidKey();
      if (row.revoked_at !== null) {
        throw new DomainError('revoked_api_key', { detail: 'This API key was revoked. Use another one.' });
      }
      const now = core.clock.now();
      if (row.expires_at !== null && new Date(row.expires_at) <= now) {
        throw new DomainError('expired_api_key', { detail: 'This API key has expired. Mint a new one.' });
      }
      used.set(row.id, { at: now, ip });
      return { keyId: row.id, keyName: row.name, accountId: row.account_id, scope: row.scope, access: fullAccess };
    },
    async flush() {
      if (used.size === 0) return;
      const entries = [...used];
      used.clear();
      await core.database.query(touchKeys, [
        entries.map(([id]) => id),
        entries.map(([, use]) => use.at.toISOString()),
        entries.map(([, use]) => use.ip),
      ]);
    },
  };
}
