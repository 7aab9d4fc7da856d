import type { Scope } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/database.ts';
import { ApiKey } from './api-key.entity.ts';
import type { Authority } from './key-authority.ts';
import { generateKey, hashKey } from './key-format.ts';

export interface NewKey {
  mode: 'live' | 'test';
  name: string;
  scope: Scope;
  authority: Authority;
  /** The agent that a key of scope `agent` acts as. */
  agentId?: string | null;
  /** A key chosen from outside (bootstrap); otherwise one is generated. */
  key?: string | undefined;
}

/** Authority over the whole account, without an end. */
export const fullAuthority: Authority = { companyIds: null, permissions: null, ipAllowlist: null, expiresAt: null };

/**
 * Stores a new key in the caller's transaction and returns it with its plain text, which exists nowhere else. It counts as
 * the caller's person: whoever makes a key knows its plain text.
 */
export function mintKey(tx: Transaction, context: Context, input: NewKey): { key: string; entity: ApiKey } {
  const key = input.key ?? generateKey(input.mode);
  const [pepper] = context.secrets.peppers;
  if (!pepper) throw new Error('No pepper is configured.');
  const now = context.clock.now();
  const id = context.newId('key');
  const entity = tx.em.create(ApiKey, {
    id,
    accountId: context.accountId,
    name: input.name,
    scope: input.scope,
    hash: hashKey(key, pepper),
    prefix: key.slice(0, 'sk_live_AbCd'.length),
    last4: key.slice(-4),
    ...input.authority,
    agentId: input.agentId ?? null,
    createdBy: context.actor,
    personId: context.personId || id,
    createdAt: now,
    updatedAt: now,
  });
  return { key, entity };
}
