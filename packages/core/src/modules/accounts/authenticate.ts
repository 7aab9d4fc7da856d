import type { Actor, Permission, Scope } from '@finhook/contracts';
import type { Access } from '../../kernel/access.ts';
import type { Core } from '../../kernel/context.ts';
import { DomainError, type DomainErrorDetails } from '../../kernel/domain-error.ts';
import { statement } from '../../kernel/queryable.ts';
import { createIpFilter } from './ip-ranges.ts';
import { hashKey, isWellFormedKey } from './key-format.ts';

/** The holder of a valid key. */
export interface Principal {
  keyId: string;
  accountId: string;
  scope: Scope;
  access: Access;
  /** Who acts: the key, or the agent that it stands for. */
  actor: Actor;
}

interface KeyRow {
  id: string;
  name: string;
  account_id: string;
  scope: Scope;
  expires_at: string | null;
  revoked_at: string | null;
  overlap_until: string | null;
  company_ids: string[] | null;
  permissions: Permission[] | null;
  ip_allowlist: string[] | null;
  agent_id: string | null;
  agent_name: string | null;
}

interface KnownKey {
  row: KeyRow;
  principal: Principal;
  allows: (ip: string) => boolean;
}

interface CachedKey {
  known: KnownKey | undefined;
  until: number;
}

/** How long a look-up is remembered: a revocation works everywhere within a second. */
const CACHE_MS = 500;
const CACHE_SIZE = 10_000;

// An agent reaches the companies that it is attached to, within those that its key is narrowed to.
const findKey = statement(
  'find_api_key',
  `SELECT k.id, k.name, k.account_id, k.scope, k.expires_at, k.revoked_at, k.overlap_until, k.permissions,
          k.ip_allowlist, k.agent_id, a.name AS agent_name,
          CASE WHEN k.scope <> 'agent' THEN k.company_ids ELSE ARRAY(
            SELECT DISTINCT b.company_id FROM agent_binding b
            WHERE b.agent_id = k.agent_id AND b.status IN ('linked', 'paused')
              AND (k.company_ids IS NULL OR b.company_id = ANY (k.company_ids))
          ) END AS company_ids
   FROM api_key k LEFT JOIN agent a ON a.id = k.agent_id WHERE k.hash = ANY ($1::bytea[])`,
);
const touchKeys = statement(
  'touch_api_keys',
  `UPDATE api_key k SET last_used_at = u.at, last_used_ip = u.ip
   FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS u (id, at, ip)
   WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at - interval '1 minute')`,
);

export interface Authenticator {
  /**
   * Who holds `key`; throws a 401 refusal that names the reason, or 403 when the key may not be used from `ip`, which is
   * remembered as the key's last address. A refusal of a key that exists is a `KeyRefused`.
   */
  authenticate(key: string, ip: string): Promise<Principal>;
  /** Writes the last uses that were remembered; called every few seconds and at shutdown. */
  flush(): Promise<void>;
}

/** The refusal of a key that exists, with whose it is for the audit log; the caller is told the reason only. */
export class KeyRefused extends DomainError {
  readonly holder: Principal;
  constructor(
    code: 'revoked_api_key' | 'expired_api_key' | 'ip_not_allowed',
    details: DomainErrorDetails,
    holder: Principal,
  ) {
    super(code, details);
    this.holder = holder;
  }
}

function invalidKey(): DomainError {
  return new DomainError('invalid_api_key', {
    detail: 'The API key is not known. Check that it was copied whole and belongs to this service.',
  });
}

function toKnownKey(row: KeyRow): KnownKey {
  const actor: Actor =
    row.scope === 'agent' && row.agent_id !== null
      ? { type: 'agent', id: row.agent_id, name: row.agent_name ?? row.name }
      : { type: 'api_key', id: row.id, name: row.name };
  const access: Access = {
    ...(row.company_ids === null ? {} : { companyIds: row.company_ids }),
    ...(row.permissions === null ? {} : { permissions: row.permissions }),
    ...(row.agent_id === null ? {} : { agentId: row.agent_id }),
    ...(row.ip_allowlist === null ? {} : { ipAllowlist: row.ip_allowlist }),
    ...(row.expires_at === null ? {} : { expiresAt: new Date(row.expires_at) }),
  };
  const allows = row.ip_allowlist === null ? () => true : createIpFilter(row.ip_allowlist);
  return { row, principal: { keyId: row.id, accountId: row.account_id, scope: row.scope, access, actor }, allows };
}

/** Throws when the key has ended at `now` or may not be used from `ip`. */
function refuseUnusable({ row, principal, allows }: KnownKey, now: Date, ip: string): void {
  const rotated = row.overlap_until !== null && new Date(row.overlap_until) <= now;
  if (row.revoked_at !== null || rotated) {
    throw new KeyRefused('revoked_api_key', { detail: 'This API key was revoked. Use another one.' }, principal);
  }
  if (row.expires_at !== null && new Date(row.expires_at) <= now) {
    throw new KeyRefused('expired_api_key', { detail: 'This API key has expired. Mint a new one.' }, principal);
  }
  if (!allows(ip)) {
    const detail = `This API key may not be used from ${ip.slice(0, 64)}. Its ip_allowlist says from where it may.`;
    throw new KeyRefused('ip_not_allowed', { detail }, principal);
  }
}

/** Looks keys up by their hash, remembers answers briefly, and notes last uses in the background. */
export function createAuthenticator(core: Core): Authenticator {
  const cache = new Map<string, CachedKey>();
  const used = new Map<string, { at: Date; ip: string }>();

  async function lookUp(key: string): Promise<KnownKey | undefined> {
    const now = core.clock.now().getTime();
    const hashes = core.secrets.peppers.map((pepper) => hashKey(key, pepper));
    // The cache is keyed by hash, so that no key stays in memory longer than its request.
    const cacheKey = hashes[0]?.toString('base64') ?? '';
    const cached = cache.get(cacheKey);
    if (cached && cached.until > now) return cached.known;
    const [row] = await core.database.query<KeyRow>(findKey, [hashes]);
    if (cache.size >= CACHE_SIZE) cache.clear();
    const known = row && toKnownKey(row);
    cache.set(cacheKey, { known, until: now + CACHE_MS });
    return known;
  }

  return {
    async authenticate(key, ip) {
      if (!isWellFormedKey(key)) throw invalidKey();
      const known = await lookUp(key);
      if (!known) throw invalidKey();
      const now = core.clock.now();
      refuseUnusable(known, now, ip);
      used.set(known.row.id, { at: now, ip });
      return known.principal;
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
