import {
  createHashLookup,
  createTtlCache,
  type LookupOptions,
  neverThrottled,
} from '../../access/credential-lookup.ts';
import { statement, systemStatement } from '../../db/queryable.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
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
// A key's plain text is known only during a request, so only then can its hash be renewed with the first pepper.
const renewHash = statement('renew_api_key_hash', 'UPDATE api_key SET hash = $2 WHERE id = $1');
const touchKeys = systemStatement(
  'touch_api_keys',
  `UPDATE api_key k SET last_used_at = u.at, last_used_ip = u.ip
   FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) AS u (id, account_id, at, ip)
   WHERE k.id = u.id AND k.account_id = u.account_id AND (k.last_used_at IS NULL OR k.last_used_at < u.at - interval '1 minute')
     AND ${isNotMoving('u.account_id')}`,
);

export interface Authenticator {
  /** Stores `ip` as the key's last address. Throws `KeyRejected` for a known key that may not be used now. */
  authenticate(key: string, ip: string): Promise<Principal>;
  /** For a key found through its session or link. */
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
  // The rows of a moved account may be locked while it moves back.
  if (current && !row.hash.equals(current) && row.move?.state !== 'moved') {
    await core.database.forAccount(row.account_id).query(renewHash, [row.id, current]);
  }
  return toKnownKey(row);
}

/** Also returns keys that may not be used now. Throws `invalid_api_key` for an unknown one. */
export async function findKnownKey(core: Core, key: string): Promise<KnownKey> {
  if (!isWellFormedKey(key)) throw invalidKey();
  const hashes = hashesOf(core, key);
  const [row] = await core.database.query<FoundRow>(findKey, [hashes]);
  if (!row) throw invalidKey();
  return renewKey(core, hashes, row);
}

export function createAuthenticator(
  core: Core,
  { isThrottled = neverThrottled, keptMs }: LookupOptions = {},
): Authenticator {
  const find = createHashLookup<FoundRow>((hashes) => core.database.query(findKey, [hashes]), isThrottled);
  const readKey = async (hashes: readonly Buffer[], ip: string): Promise<KnownKey | undefined> => {
    const row = await find(hashes, ip);
    return row && renewKey(core, hashes, row);
  };
  // Keys of agents are not cached: a binding applies to the next request.
  const isCacheable = (known: KnownKey): boolean => known.principal.scope !== 'agent' && !isMoving(known);
  const cached = createTtlCache<KnownKey>(core.clock, isCacheable, keptMs);
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
      // The cache key is the hash: no plain text outlives its request.
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
