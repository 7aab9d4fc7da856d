import type { Actor, AgentFlag as AgentFlagRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentFlagSchema = defineEntity({
  name: 'AgentFlag',
  tableName: 'agent_flag',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    agentId: p.text(),
    companyId: p.text(),
    actionId: p.text().nullable(),
    caseId: p.text().nullable(),
    severity: p.text().$type<AgentFlagRecord['severity']>(),
    title: p.text(),
    body: p.text().nullable(),
    status: p.text().$type<AgentFlagRecord['status']>(),
    raisedBy: p.json().$type<Actor>(),
    resolvedAt: p.datetime().nullable(),
    resolvedBy: p.json().$type<Actor>().nullable(),
    resolutionNote: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** What a person wants to be looked into about an agent's work. */
export class AgentFlag extends AgentFlagSchema.class {
  toRecord(): AgentFlagRecord {
    return {
      id: this.id,
      object: 'agent_flag',
      account_id: this.accountId,
      agent_id: this.agentId,
      company_id: this.companyId,
      action_id: this.actionId ?? null,
      case_id: this.caseId ?? null,
      severity: this.severity,
      title: this.title,
      body: this.body ?? null,
      status: this.status,
      raised_by: this.raisedBy,
      resolved_at: this.resolvedAt?.toISOString() ?? null,
      resolved_by: this.resolvedBy ?? null,
      resolution_note: this.resolutionNote ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
AgentFlagSchema.setClass(AgentFlag);
