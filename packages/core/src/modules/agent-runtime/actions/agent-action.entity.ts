import type { AgentAction as AgentActionRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentActionSchema = defineEntity({
  name: 'AgentAction',
  tableName: 'agent_action',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    agent_id: p.text(),
    company_id: p.text(),
    case_id: p.text().nullable(),
    run_id: p.text().nullable(),
    external_id: p.text().nullable(),
    type: p.text(),
    title: p.text(),
    status: p.text().$type<AgentActionRecord['status']>(),
    risk: p.text().$type<NonNullable<AgentActionRecord['risk']>>().nullable(),
    input: p.json().$type<unknown>().nullable(),
    output: p.json().$type<unknown>().nullable(),
    error: p.json().$type<NonNullable<AgentActionRecord['error']>>().nullable(),
    blocked: p.json().$type<NonNullable<AgentActionRecord['blocked']>>().nullable(),
    cost: p.json().$type<NonNullable<AgentActionRecord['cost']>>().nullable(),
    started_at: p.datetime(),
    finished_at: p.datetime().nullable(),
    duration_ms: p.bigint('number').nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class AgentAction extends AgentActionSchema.class {}
AgentActionSchema.setClass(AgentAction);
