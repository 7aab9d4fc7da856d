import type { Actor, ApiKey as ApiKeyRecord, Scope } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

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
    expiresAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lastUsedIp: p.text().nullable(),
    createdBy: p.json().$type<Actor>(),
    revokedAt: p.datetime().nullable(),
    revokedBy: p.json().$type<Actor>().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A key of an account. Only its hash is stored. */
export class ApiKey extends ApiKeySchema.class {
  /** The key as everyone may see it at `now`. */
  toRecord(now: Date): ApiKeyRecord {
    const expired = this.expiresAt != null && this.expiresAt <= now;
    return {
      id: this.id,
      object: 'api_key',
      account_id: this.accountId,
      name: this.name,
      scope: this.scope,
      prefix: this.prefix,
      last4: this.last4,
      status: this.revokedAt ? 'revoked' : expired ? 'expired' : 'active',
      expires_at: this.expiresAt?.toISOString() ?? null,
      last_used_at: this.lastUsedAt?.toISOString() ?? null,
      last_used_ip: this.lastUsedIp ?? null,
      created_by: this.createdBy,
      revoked_at: this.revokedAt?.toISOString() ?? null,
      revoked_by: this.revokedBy ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
ApiKeySchema.setClass(ApiKey);
