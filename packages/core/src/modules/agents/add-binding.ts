import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/database.ts';
import { AgentBinding } from './agent-binding.entity.ts';

/** Where an agent is attached, and as what. */
interface Attachment {
  agentId: string;
  companyId: string;
  caseId?: string | null | undefined;
  role?: string | null | undefined;
}

/** A new linked binding, stored with the transaction's next flush. */
export function addBinding(tx: Transaction, context: Context, place: Attachment): AgentBinding {
  const now = context.clock.now();
  return tx.em.create(AgentBinding, {
    id: context.newId('bind'),
    accountId: context.accountId,
    agentId: place.agentId,
    companyId: place.companyId,
    caseId: place.caseId ?? null,
    role: place.role ?? null,
    status: 'linked',
    linkedAt: now,
    unlinkedAt: null,
    createdAt: now,
    updatedAt: now,
  });
}
