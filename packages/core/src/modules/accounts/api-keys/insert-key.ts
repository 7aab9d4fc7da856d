import type { ApiKey as ApiKeyRecord, Scope } from '@finhook/contracts';
import type { Transaction } from '../../../db/database.ts';
import type { Context } from '../../../kernel/context.ts';
import { ApiKey, toApiKey } from './api-key.entity.ts';
import type { Authority } from './key-authority.ts';
import { generateKey, hashKey } from './key-format.ts';

export interface NewKey {
  mode: 'live' | 'test';
  name: string;
  scope: Scope;
  authority: Authority;
  agentId?: string | null;
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
  const key = input.key ?? generateKey(input.mode);
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
    prefix: key.slice(0, 'sk_live_AbCd'.length),
    last4: key.slice(-4),
    ...input.authority,
    agent_id: input.agentId ?? null,
    created_by: context.actor,
    person_id: context.personId || id,
    created_at: now,
    updated_at: now,
  });
  await tx.em.flush();
  return { key, created: toApiKey(entity, now) };
}
