import { type Actor, type ApiKey as ApiKeyRecord, apiKey, type Permission, type Scope } from '@finhook/contracts';
import { p } from '@mikro-orm/postgresql';
import type { Transaction } from '../../../db/database.ts';
import type { Context } from '../../../verbs/context.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { recordEntity } from '../../../verbs/record-entity.ts';
import type { Authority } from './key-authority.ts';
import { generateKey, hashKey, prefixOf } from './key-format.ts';

/** An active key that is not used for this time is marked as unused; it still works (decision D56). */
const UNUSED_MS = 45 * 86_400_000;

const ApiKeySchema = recordEntity('ApiKey', 'api_key', {
  name: p.text(),
  scope: p.text().$type<Scope>(),
  hash: p.blob().$type<Buffer>(),
  prefix: p.text(),
  last4: p.text().fieldName('last4'),
  company_ids: p.array().columnType('text[]').$type<string[]>().nullable(),
  connection_ids: p.array().columnType('text[]').$type<string[]>().nullable(),
  sources: p.array().columnType('text[]').$type<string[]>().nullable(),
  permissions: p.array().columnType('text[]').$type<Permission[]>().nullable(),
  ip_allowlist: p.array().columnType('text[]').$type<string[]>().nullable(),
  agent_id: p.text().nullable(),
  expires_at: p.datetime().nullable(),
  last_used_at: p.datetime().nullable(),
  last_used_ip: p.text().nullable(),
  created_by: p.json().$type<Actor>(),
  /**
   * Id of the person's first key, inherited by every key that this person creates; null for a key created by 0.1.0.
   */
  person_id: p.text().nullable(),
  /** The first key of a chain of rotations; null for that key itself. */
  origin_id: p.text().nullable(),
  revoked_at: p.datetime().nullable(),
  /** Set when the key is revoked or rotated; the revocation of a rotated key takes effect at `overlap_until`. */
  revoked_by: p.json().$type<Actor>().nullable(),
  rotated_to: p.text().nullable(),
  /** When a rotated key ends; null once its event is emitted. */
  overlap_until: p.datetime().nullable(),
});

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);

export interface ApiKeyRow extends RowOf<typeof apiKey, never, 'status' | 'unused' | 'person_id'> {
  person_id: string | null;
  overlap_until: string | null;
}

/** The id of the person that the key counts as: that of the person's first key. */
export function personOf({ person_id, id }: Pick<ApiKey, 'id' | 'person_id'>): string {
  return person_id ?? id;
}

/** The key as of `now`: a rotated key is revoked once its overlap has ended, even before a job stores that. */
export function toApiKey(key: ApiKey | ApiKeyRow, now: Date): ApiKeyRecord {
  const overlapEnd = isPast(key.overlap_until, now) ? key.overlap_until : null;
  const revokedAt = key.revoked_at ?? overlapEnd ?? null;
  const isExpired = isPast(key.expires_at, now);
  const status = revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active';
  const lastUse = new Date(key.last_used_at ?? key.created_at);
  return record(apiKey, key, {
    status,
    unused: status === 'active' && now.getTime() - lastUse.getTime() >= UNUSED_MS,
    person_id: personOf(key),
    revoked_at: revokedAt === null ? null : new Date(revokedAt).toISOString(),
    revoked_by: revokedAt === null ? null : (key.revoked_by ?? null),
  });
}

function isPast(at: Date | string | null | undefined, now: Date): boolean {
  return at != null && new Date(at) <= now;
}

export interface NewKey {
  mode: 'live' | 'test';
  name: string;
  scope: Scope;
  authority: Authority;
  agentId?: string | null;
  /** Of a key of scope `ingest`. */
  connectionIds?: string[] | null;
  sources?: string[] | null;
  originId?: string;
  /** A key from the configuration (bootstrap); by default one is generated. */
  key?: string | undefined;
}

export const fullAuthority: Authority = { company_ids: null, permissions: null, ip_allowlist: null, expires_at: null };

/**
 * Stores a new key in the caller's transaction and returns its plain text, which is stored nowhere. The key belongs to
 * the caller's person, who knows the plain text.
 */
export async function insertKey(
  tx: Transaction,
  context: Context,
  input: NewKey,
): Promise<{ key: string; created: ApiKeyRecord }> {
  const key = input.key ?? generateKey(input.mode, context.cell);
  const [pepper] = context.secrets.peppers;
  if (!pepper) throw new Error('No pepper is configured.');
  const now = context.clock.now();
  const id = context.newId('key');
  const entity = tx.em.create(ApiKey, {
    id,
    account_id: context.accountId,
    name: input.name,
    scope: input.scope,
    hash: hashKey(key, pepper),
    prefix: prefixOf(key),
    last4: key.slice(-4),
    ...input.authority,
    agent_id: input.agentId ?? null,
    connection_ids: input.connectionIds ?? null,
    sources: input.sources ?? null,
    created_by: context.actor,
    person_id: context.personId || id,
    origin_id: input.originId ?? null,
    created_at: now,
    updated_at: now,
  });
  await tx.em.flush();
  return { key, created: toApiKey(entity, now) };
}
