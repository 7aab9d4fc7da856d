import type { AgentBinding as AgentBindingRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentBindingSchema = defineEntity({
  name: 'AgentBinding',
  tableName: 'agent_binding',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    agent_id: p.text(),
    company_id: p.text(),
    case_id: p.text().nullable(),
    role: p.text().nullable(),
    status: p.text().$type<AgentBindingRecord['status']>(),
    linked_at: p.datetime(),
    unlinked_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class AgentBinding extends AgentBindingSchema.class {}
AgentBindingSchema.setClass(AgentBinding);
