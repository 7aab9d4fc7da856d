import type { FieldError, Permission, Scope } from '@finhook/contracts';
import { parseIpRange } from '@finhook/delivery';
import type { Access } from '../../../access/access.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { coversIpRange } from './ip-ranges.ts';

export interface Authority {
  company_ids: string[] | null;
  permissions: Permission[] | null;
  ip_allowlist: string[] | null;
  expires_at: Date | null;
}

/** Omitted limits are inherited from the key of the request. */
interface RequestedAuthority {
  company_ids?: readonly string[] | null | undefined;
  permissions?: readonly Permission[] | null | undefined;
  ip_allowlist?: readonly string[] | null | undefined;
  expires_in_days?: number | null | undefined;
}

const DAY_MS = 86_400_000;

export function ownAuthority({ companyIds, permissions, ipAllowlist, expiresAt }: Access): Authority {
  return {
    company_ids: companyIds ? [...companyIds] : null,
    permissions: permissions ? [...permissions] : null,
    ip_allowlist: ipAllowlist ? [...ipAllowlist] : null,
    expires_at: expiresAt ?? null,
  };
}

function exceeded(pointer: string, message: string): FieldError {
  return { pointer, code: 'authority_exceeded', message };
}

function authorityErrors(requested: RequestedAuthority, own: Authority, expiresAt: Date | null): FieldError[] {
  const errors: FieldError[] = [];
  requested.company_ids?.forEach((id, i) => {
    if (own.company_ids?.includes(id) !== false) return;
    errors.push(exceeded(`/company_ids/${i}`, 'is no company that the key of this request reaches'));
  });
  requested.permissions?.forEach((name, i) => {
    if (own.permissions?.includes(name) !== false) return;
    errors.push(exceeded(`/permissions/${i}`, `is a permission that the key of this request lacks: ${name}`));
  });
  requested.ip_allowlist?.forEach((text, i) => {
    const pointer = `/ip_allowlist/${i}`;
    const form = 'must be an IPv4 or IPv6 address or a CIDR range like 203.0.113.0/24';
    if (!parseIpRange(text)) errors.push({ pointer, code: 'invalid_format', message: form });
    else if (own.ip_allowlist && !coversIpRange(own.ip_allowlist, text))
      errors.push(exceeded(pointer, 'reaches beyond the addresses that the key of this request is bound to'));
  });
  if (own.expires_at && expiresAt && expiresAt > own.expires_at) {
    const end = own.expires_at.toISOString();
    errors.push(exceeded('/expires_in_days', `must not outlive the key of this request, which ends ${end}`));
  }
  return errors;
}

/** The authority of a new key, which never exceeds `own`, and an error for each wider limit. */
export function grantedAuthority(
  requested: RequestedAuthority,
  own: Authority,
  now: Date,
): { granted: Authority; errors: FieldError[] } {
  const expiresAt =
    requested.expires_in_days == null ? null : new Date(now.getTime() + requested.expires_in_days * DAY_MS);
  const granted: Authority = {
    company_ids: requested.company_ids == null ? own.company_ids : [...new Set(requested.company_ids)],
    permissions: requested.permissions == null ? own.permissions : [...new Set(requested.permissions)],
    ip_allowlist: requested.ip_allowlist == null ? own.ip_allowlist : [...new Set(requested.ip_allowlist)],
    expires_at: expiresAt ?? own.expires_at,
  };
  return { granted, errors: authorityErrors(requested, own, expiresAt) };
}

/** True if `own` allows all that `inner` does. Expiry is not compared. */
export function includesAuthority(own: Authority, inner: Authority): boolean {
  const within = <T>(outer: readonly T[] | null, list: readonly T[] | null): boolean =>
    outer === null || list?.every((item) => outer.includes(item)) === true;
  const { ip_allowlist: allowlist } = own;
  return (
    within(own.company_ids, inner.company_ids) &&
    within(own.permissions, inner.permissions) &&
    (allowlist === null || inner.ip_allowlist?.every((text) => coversIpRange(allowlist, text)) === true)
  );
}

/** Null means all that the key's scope allows. */
export function permissionsOf(key: {
  scope: Scope;
  permissions?: Permission[] | null | undefined;
}): Permission[] | null {
  return key.scope === 'read' ? [] : (key.permissions ?? null);
}

/** IP allowlists are not compared, so that the owner of a leaked key can end it from anywhere. */
export function assertMayEnd(
  access: Access,
  key: { scope: Scope; company_ids?: string[] | null | undefined; permissions?: Permission[] | null | undefined },
): void {
  const anywhere = { ip_allowlist: null, expires_at: null };
  const limits = { company_ids: key.company_ids ?? null, permissions: permissionsOf(key) };
  if (includesAuthority({ ...ownAuthority(access), ...anywhere }, { ...limits, ...anywhere })) return;
  throw new DomainError('insufficient_scope', {
    detail:
      'The key to revoke has more permissions than the key of this request. Use a key with at least the same permissions.',
  });
}
