import type { AgentAction as AgentActionRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentActionSchema = defineEntity({
  name: 'AgentAction',
  tableName: 'agent_action',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    agentId: p.text(),
    companyId: p.text(),
    caseId: p.text().nullable(),
    runId: p.text().nullable(),
    externalId: p.text().nullable(),
    type: p.text(),
    title: p.text(),
    status: p.text().$type<AgentActionRecord['status']>(),
    risk: p.text().$type<NonNullable<AgentActionRecord['risk']>>().nullable(),
    input: p.json().$type<unknown>().nullable(),
    output: p.json().$type<unknown>().nullable(),
    error: p.json().$type<NonNullable<AgentActionRecord['error']>>().nullable(),
    blocked: p.json().$type<NonNullable<AgentActionRecord['blocked']>>().nullable(),
    cost: p.json().$type<NonNullable<AgentActionRecord['cost']>>().nullable(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    durationMs: p.bigint('number').nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** Something that an agent did, does or was kept from doing. */
export class AgentAction extends AgentActionSchema.class {
  toRecord(): AgentActionRecord {
    return {
      id: this.id,
      object: 'agent_action',
      account_id: this.accountId,
      agent_id: this.agentId,
      company_id: this.companyId,
      case_id: this.caseId ?? null,
      run_id: this.runId ?? null,
      external_id: this.externalId ?? null,
      type: this.type,
      title: this.title,
      status: this.status,
      risk: this.risk ?? null,
      input: this.input ?? null,
      output: this.output ?? null,
      error: this.error ?? null,
      blocked: this.blocked ?? null,
      cost: this.cost ?? null,
      started_at: this.startedAt.toISOString(),
      finished_at: this.finishedAt?.toISOString() ?? null,
      duration_ms: this.durationMs ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
AgentActionSchema.setClass(AgentAction);
