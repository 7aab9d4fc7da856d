import type { Actor, AgentFlag as AgentFlagRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentFlagSchema = defineEntity({
  name: 'AgentFlag',
  tableName: 'agent_flag',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    agent_id: p.text(),
    company_id: p.text(),
    action_id: p.text().nullable(),
    case_id: p.text().nullable(),
    severity: p.text().$type<AgentFlagRecord['severity']>(),
    title: p.text(),
    body: p.text().nullable(),
    status: p.text().$type<AgentFlagRecord['status']>(),
    raised_by: p.json().$type<Actor>(),
    resolved_at: p.datetime().nullable(),
    resolved_by: p.json().$type<Actor>().nullable(),
    resolution_note: p.text().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class AgentFlag extends AgentFlagSchema.class {}
AgentFlagSchema.setClass(AgentFlag);
