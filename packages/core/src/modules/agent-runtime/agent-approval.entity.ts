import type { Actor, AgentApproval as AgentApprovalRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { systemActor } from '../../kernel/system-context.ts';

const AgentApprovalSchema = defineEntity({
  name: 'AgentApproval',
  tableName: 'agent_approval',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    agentId: p.text(),
    companyId: p.text(),
    actionId: p.text().nullable(),
    title: p.text(),
    description: p.text().nullable(),
    payload: p.json().$type<unknown>().nullable(),
    risk: p.text().$type<NonNullable<AgentApprovalRecord['risk']>>().nullable(),
    options: p.array().columnType('text[]').$type<string[]>(),
    status: p.text().$type<AgentApprovalRecord['status']>(),
    requestedBy: p.json().$type<Actor>().nullable(),
    requestedAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    decidedAt: p.datetime().nullable(),
    decidedBy: p.json().$type<Actor>().nullable(),
    decisionComment: p.text().nullable(),
    chosenOption: p.text().nullable(),
    editedPayload: p.json().$type<unknown>().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** Something that an agent may do only when a person says so. */
export class AgentApproval extends AgentApprovalSchema.class {
  /** As it reads at `now`: what nobody decided in time has expired, before the maintenance job stores it so. */
  recordAt(now: Date): AgentApprovalRecord {
    const stored = this.toRecord();
    const { status, expires_at: at } = stored;
    if (status !== 'pending' || at === null || Date.parse(at) > now.getTime()) return stored;
    return { ...stored, status: 'expired', decided_at: at, decided_by: systemActor, updated_at: at };
  }

  /** As it is stored. */
  toRecord(): AgentApprovalRecord {
    return {
      id: this.id,
      object: 'agent_approval',
      account_id: this.accountId,
      agent_id: this.agentId,
      company_id: this.companyId,
      action_id: this.actionId ?? null,
      title: this.title,
      description: this.description ?? null,
      payload: this.payload ?? null,
      risk: this.risk ?? null,
      options: this.options,
      status: this.status,
      requested_by: this.requestedBy ?? null,
      requested_at: this.requestedAt.toISOString(),
      expires_at: this.expiresAt?.toISOString() ?? null,
      decided_at: this.decidedAt?.toISOString() ?? null,
      decided_by: this.decidedBy ?? null,
      decision_comment: this.decisionComment ?? null,
      chosen_option: this.chosenOption ?? null,
      edited_payload: this.editedPayload ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
AgentApprovalSchema.setClass(AgentApproval);
