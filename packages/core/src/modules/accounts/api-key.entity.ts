import type { Actor, ApiKey as ApiKeyRecord, Permission, Scope } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

/** Days without use after which an active key is marked; it goes on working (decision D56). */
const UNUSED_MS = 45 * 86_400_000;

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    name: p.text(),
    scope: p.text().$type<Scope>(),
    hash: p.blob().$type<Buffer>(),
    prefix: p.text(),
    last4: p.text().fieldName('last4'),
    companyIds: p.array().columnType('text[]').$type<string[]>().nullable(),
    permissions: p.array().columnType('text[]').$type<Permission[]>().nullable(),
    ipAllowlist: p.array().columnType('text[]').$type<string[]>().nullable(),
    agentId: p.text().nullable(),
    expiresAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lastUsedIp: p.text().nullable(),
    createdBy: p.json().$type<Actor>(),
    /** The first key of the person, inherited by every key that is made with one of theirs; null for one made by 0.1.0. */
    personId: p.text().nullable(),
    revokedAt: p.datetime().nullable(),
    /** Set when the key is revoked, or rotated: then the revocation takes effect at `overlapUntil`. */
    revokedBy: p.json().$type<Actor>().nullable(),
    rotatedTo: p.text().nullable(),
    /** The end of a rotated key, until it has been told. */
    overlapUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A key of an account. Only its hash is stored. */
export class ApiKey extends ApiKeySchema.class {
  countsAs(): string {
    return this.personId ?? this.id;
  }

  /** When it was revoked, as of `now`: a rotated key is when its overlap has ended. */
  revokedSince(now: Date): Date | null {
    if (this.revokedAt) return this.revokedAt;
    return this.overlapUntil != null && this.overlapUntil <= now ? this.overlapUntil : null;
  }

  statusAt(now: Date): ApiKeyRecord['status'] {
    if (this.revokedSince(now)) return 'revoked';
    return this.expiresAt != null && this.expiresAt <= now ? 'expired' : 'active';
  }

  /** The key as everyone may see it at `now`. */
  toRecord(now: Date): ApiKeyRecord {
    const revokedAt = this.revokedSince(now);
    const status = this.statusAt(now);
    const lastSign = this.lastUsedAt ?? this.createdAt;
    return {
      id: this.id,
      object: 'api_key',
      account_id: this.accountId,
      name: this.name,
      scope: this.scope,
      prefix: this.prefix,
      last4: this.last4,
      status,
      company_ids: this.companyIds ?? null,
      permissions: this.permissions ?? null,
      ip_allowlist: this.ipAllowlist ?? null,
      agent_id: this.agentId ?? null,
      unused: status === 'active' && now.getTime() - lastSign.getTime() >= UNUSED_MS,
      expires_at: this.expiresAt?.toISOString() ?? null,
      last_used_at: this.lastUsedAt?.toISOString() ?? null,
      last_used_ip: this.lastUsedIp ?? null,
      created_by: this.createdBy,
      person_id: this.countsAs(),
      revoked_at: revokedAt?.toISOString() ?? null,
      revoked_by: revokedAt ? (this.revokedBy ?? null) : null,
      rotated_to: this.rotatedTo ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
ApiKeySchema.setClass(ApiKey);
