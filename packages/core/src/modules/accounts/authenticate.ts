import {
  createHashLookup,
  createTtlCache,
  type LookupOptions,
  neverThrottled,
} from '../../access/credential-lookup.ts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { staysHere } from '../../outbox/sequence-sql.ts';
import type { Core } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import { hashKey, isWellFormedKey } from './api-keys/key-format.ts';
import {
  assertUsable,
  isMoving,
  type KeyRow,
  type KnownKey,
  keyColumns,
  type Principal,
  toKnownKey,
} from './known-key.ts';

const findKey = systemStatement(
  'find_api_key',
  `SELECT ${keyColumns}, k.hash
   FROM api_key k LEFT JOIN agent a ON a.id = k.agent_id WHERE k.hash = ANY ($1::bytea[])`,
);
// The plain text of a key is only known during a request, so the hash is renewed with the first pepper then.
const renewHash = statement('renew_api_key_hash', 'UPDATE api_key SET hash = $2 WHERE id = $1');
const touchKeys = systemStatement(
  'touch_api_keys',
  `UPDATE api_key k SET last_used_at = u.at, last_used_ip = u.ip
   FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) AS u (id, account_id, at, ip)
   WHERE k.id = u.id AND k.account_id = u.account_id AND (k.last_used_at IS NULL OR k.last_used_at < u.at - interval '1 minute')
     AND ${staysHere('u.account_id')}`,
);

export interface Authenticator {
  /**
   * Returns the owner of `key` and stores `ip` as the key's last address. Throws a 401 that names the reason, or a 403
   * if the key may not be used from `ip`. For a key that exists the error is a `KeyRejected`.
   */
  authenticate(key: string, ip: string): Promise<Principal>;
  /** The same for a key that was looked up by its session or link. */
  admit(known: KnownKey, ip: string): Principal;
  /** Writes the last uses; runs every few seconds and at shutdown. */
  flush(): Promise<void>;
}

function invalidKey(): DomainError {
  return new DomainError('invalid_api_key', {
    detail: 'The API key is unknown. Check that it is complete and belongs to this service.',
  });
}

function hashesOf(core: Core, key: string): Buffer[] {
  return core.secrets.peppers.map((pepper) => hashKey(key, pepper));
}

type FoundRow = KeyRow & { hash: Buffer };

async function renewKey(core: Core, [current]: readonly Buffer[], row: FoundRow): Promise<KnownKey> {
  // A move that brings the account back holds the rows that it left here locked while it copies.
  if (current && !row.hash.equals(current) && row.move?.state !== 'moved') {
    await core.database.forAccount(row.account_id).query(renewHash, [row.id, current]);
  }
  return toKnownKey(row);
}

/** Looks up a key by its plain text, even if it may not be used now. Throws `invalid_api_key` for an unknown key. */
export async function findKnownKey(core: Core, key: string): Promise<KnownKey> {
  if (!isWellFormedKey(key)) throw invalidKey();
  const hashes = hashesOf(core, key);
  const [row] = await core.database.query<FoundRow>(findKey, [hashes]);
  if (!row) throw invalidKey();
  return renewKey(core, hashes, row);
}

/** Looks keys up by their hash, caches them briefly, and writes last uses in the background. */
export function createAuthenticator(
  core: Core,
  { isThrottled = neverThrottled, keptMs }: LookupOptions = {},
): Authenticator {
  const find = createHashLookup<FoundRow>((hashes) => core.database.query(findKey, [hashes]), isThrottled);
  const readKey = async (hashes: readonly Buffer[], ip: string): Promise<KnownKey | undefined> => {
    const row = await find(hashes, ip);
    return row && renewKey(core, hashes, row);
  };
  // Agents are not cached: a binding takes effect with the agent's next request.
  const isKept = (known: KnownKey): boolean => known.principal.scope !== 'agent' && !isMoving(known);
  const cached = createTtlCache<KnownKey>(core.clock, isKept, keptMs);
  const used = new Map<string, { accountId: string; at: Date; ip: string }>();

  function admit(known: KnownKey, ip: string): Principal {
    const now = core.clock.now();
    assertUsable(known, now, ip);
    used.set(known.row.id, { accountId: known.principal.accountId, at: now, ip });
    return known.principal;
  }

  return {
    async authenticate(key, ip) {
      if (!isWellFormedKey(key)) throw invalidKey();
      const hashes = hashesOf(core, key);
      // The hash is the cache key, so that no plain text outlives its request.
      const known = await cached(hashes[0]?.toString('base64') ?? '', () => readKey(hashes, ip));
      if (!known) throw invalidKey();
      return admit(known, ip);
    },
    admit,
    async flush() {
      if (used.size === 0) return;
      const entries = [...used];
      used.clear();
      await core.database.query(touchKeys, [
        entries.map(([id]) => id),
        entries.map(([, use]) => use.accountId),
        entries.map(([, use]) => use.at.toISOString()),
        entries.map(([, use]) => use.ip),
      ]);
    },
  };
}
