import type { AgentBinding as AgentBindingRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentBindingSchema = defineEntity({
  name: 'AgentBinding',
  tableName: 'agent_binding',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    agentId: p.text(),
    companyId: p.text(),
    caseId: p.text().nullable(),
    role: p.text().nullable(),
    status: p.text().$type<AgentBindingRecord['status']>(),
    linkedAt: p.datetime(),
    unlinkedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** What attaches an agent to a company, or to one case of it. */
export class AgentBinding extends AgentBindingSchema.class {
  toRecord(): AgentBindingRecord {
    return {
      id: this.id,
      object: 'agent_binding',
      account_id: this.accountId,
      agent_id: this.agentId,
      company_id: this.companyId,
      case_id: this.caseId ?? null,
      role: this.role ?? null,
      status: this.status,
      linked_at: this.linkedAt.toISOString(),
      unlinked_at: this.unlinkedAt?.toISOString() ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
AgentBindingSchema.setClass(AgentBinding);
