import type { Actor, Permission, Scope } from '@finhook/contracts';
import type { Access, IngestAccess } from '../../access/access.ts';
import { truncate } from '../../input/field-errors.ts';
import type { Context, Core } from '../../verbs/context.ts';
import { DomainError, type DomainErrorDetails } from '../../verbs/domain-error.ts';
import { createIpFilter } from './api-keys/ip-ranges.ts';
import { wrongCell } from './api-keys/key-format.ts';

/** `draining`: endpoints can't be changed. `closed`: nothing can be changed. */
type Moving = 'draining' | 'closed';

export interface Principal {
  keyId: string;
  /** The first key of its chain of rotations. */
  originId: string;
  /** The person's first key. */
  personId: string;
  accountId: string;
  scope: Scope;
  access: Access;
  actor: Actor;
  moving?: Moving;
}

export interface KeyRow {
  id: string;
  person_id: string;
  name: string;
  account_id: string;
  scope: Scope;
  expires_at: string | null;
  revoked_at: string | null;
  overlap_until: string | null;
  company_ids: string[] | null;
  connection_ids: string[] | null;
  sources: string[] | null;
  origin_id: string;
  permissions: Permission[] | null;
  ip_allowlist: string[] | null;
  agent_id: string | null;
  agent_name: string | null;
  move: { state: 'copying' | 'draining' | 'frozen' | 'moved' | 'arriving'; cell: string } | null;
}

/** Columns of a `KeyRow` from key `k` and its agent `a`. An agent's companies are those it is attached to. */
export const keyColumns = `k.id, coalesce(k.person_id, k.id) AS person_id, k.name, k.account_id, k.scope, k.expires_at, k.revoked_at,
          k.overlap_until, k.connection_ids, k.sources, coalesce(k.origin_id, k.id) AS origin_id, k.permissions,
          k.ip_allowlist, k.agent_id, a.name AS agent_name,
          (SELECT json_build_object('state', m.state, 'cell', m.cell) FROM account_move m
           WHERE m.account_id = k.account_id) AS move,
          CASE WHEN k.scope <> 'agent' THEN k.company_ids ELSE ARRAY(
            SELECT DISTINCT b.company_id FROM agent_binding b
            WHERE b.agent_id = k.agent_id AND b.status IN ('linked', 'paused')
              AND (k.company_ids IS NULL OR b.company_id = ANY (k.company_ids))
          ) END AS company_ids`;

/** Not cached, because a step of a move applies at once. While it is copied, the account works as usual. */
export const isMoving = ({ row: { move } }: KnownKey): boolean => move !== null && move.state !== 'copying';

export interface KnownKey {
  row: KeyRow;
  principal: Principal;
  allows: (ip: string) => boolean;
}

export function toKnownKey(row: KeyRow): KnownKey {
  const actor: Actor =
    row.scope === 'agent' && row.agent_id !== null
      ? { type: 'agent', id: row.agent_id, name: row.agent_name ?? row.name }
      : { type: 'api_key', id: row.id, name: row.name };
  const access: Access = {
    companyIds: row.company_ids ?? undefined,
    permissions: row.permissions ?? undefined,
    agentId: row.agent_id ?? undefined,
    ingest: row.scope === 'ingest' ? ingestAccessOf(row) : undefined,
    ipAllowlist: row.ip_allowlist ?? undefined,
    expiresAt: row.expires_at === null ? undefined : new Date(row.expires_at),
  };
  const allows = row.ip_allowlist === null ? () => true : createIpFilter(row.ip_allowlist);
  const { id: keyId, origin_id: originId, person_id: personId, account_id: accountId, scope } = row;
  const moving: { moving?: Moving } =
    row.move === null || row.move.state === 'copying'
      ? {}
      : { moving: row.move.state === 'draining' ? 'draining' : 'closed' };
  return { row, principal: { keyId, originId, personId, accountId, scope, access, actor, ...moving }, allows };
}

function ingestAccessOf({ origin_id: originId, connection_ids, sources }: KeyRow): IngestAccess {
  return { originId, connectionIds: connection_ids ?? undefined, sources: sources ?? undefined };
}

interface Origin {
  request: Context['request'];
  traceparent?: string | undefined;
  sessionId?: string | undefined;
}

/** The database of the context shows only rows of the key's account. */
export function callerContext(core: Core, principal: Principal, { request, traceparent, sessionId }: Origin): Context {
  return {
    ...core,
    database: core.database.forAccount(principal.accountId, traceparent),
    ...principal,
    sessionId,
    request,
  };
}

/** For a key that exists. The principal is for the audit log, not for the caller. */
export class KeyRejected extends DomainError {
  readonly principal: Principal;
  constructor(
    code: 'revoked_api_key' | 'expired_api_key' | 'ip_not_allowed',
    details: DomainErrorDetails,
    principal: Principal,
  ) {
    super(code, details);
    this.principal = principal;
  }
}

/** The account's new cell checks the key. */
function assertNotMoved({ move }: KeyRow): void {
  if (move?.state === 'moved') throw wrongCell(move.cell);
}

export function assertNotEnded({ row, principal }: KnownKey, now: Date): void {
  assertNotMoved(row);
  const rotated = row.overlap_until !== null && new Date(row.overlap_until) <= now;
  if (row.revoked_at !== null || rotated) {
    throw new KeyRejected('revoked_api_key', { detail: 'This API key was revoked. Use another one.' }, principal);
  }
  if (row.expires_at !== null && new Date(row.expires_at) <= now) {
    throw new KeyRejected('expired_api_key', { detail: 'This API key has expired. Create a new one.' }, principal);
  }
}

export function assertUsable(known: KnownKey, now: Date, ip: string): void {
  assertNotEnded(known, now);
  if (known.allows(ip)) return;
  const detail = `This API key may not be used from ${truncate(ip, 64)}. See its ip_allowlist.`;
  throw new KeyRejected('ip_not_allowed', { detail }, known.principal);
}
