import type { Transaction } from '../../db/database.ts';
import type { Context } from '../../kernel/context.ts';
import { AgentBinding } from './agent-binding.entity.ts';

interface Attachment {
  agent_id: string;
  company_id: string;
  case_id?: string | null | undefined;
  role?: string | null | undefined;
}

export function addBinding(tx: Transaction, context: Context, attachment: Attachment): AgentBinding {
  const now = context.clock.now();
  return tx.em.create(AgentBinding, {
    id: context.newId('bind'),
    account_id: context.accountId,
    agent_id: attachment.agent_id,
    company_id: attachment.company_id,
    case_id: attachment.case_id ?? null,
    role: attachment.role ?? null,
    status: 'linked',
    linked_at: now,
    unlinked_at: null,
    created_at: now,
    updated_at: now,
  });
}
