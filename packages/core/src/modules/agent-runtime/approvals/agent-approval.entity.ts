import { type Actor, type AgentApproval as AgentApprovalRecord, agentApproval } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { systemActor } from '../../../kernel/context.ts';
import { type RowOf, record } from '../../../kernel/record.ts';

const AgentApprovalSchema = defineEntity({
  name: 'AgentApproval',
  tableName: 'agent_approval',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    agent_id: p.text(),
    company_id: p.text(),
    action_id: p.text().nullable(),
    title: p.text(),
    description: p.text().nullable(),
    payload: p.json().$type<unknown>().nullable(),
    risk: p.text().$type<NonNullable<AgentApprovalRecord['risk']>>().nullable(),
    options: p.array().columnType('text[]').$type<string[]>(),
    status: p.text().$type<AgentApprovalRecord['status']>(),
    requested_by: p.json().$type<Actor>().nullable(),
    requested_at: p.datetime(),
    expires_at: p.datetime().nullable(),
    decided_at: p.datetime().nullable(),
    decided_by: p.json().$type<Actor>().nullable(),
    decision_comment: p.text().nullable(),
    chosen_option: p.text().nullable(),
    edited_payload: p.json().$type<unknown>().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class AgentApproval extends AgentApprovalSchema.class {}
AgentApprovalSchema.setClass(AgentApproval);

/** The approval as of `now`: an undecided one expires on time, before the maintenance job stores that. */
export function toAgentApproval(row: AgentApproval | RowOf<typeof agentApproval>, now: Date): AgentApprovalRecord {
  const { status, expires_at } = row;
  if (status !== 'pending' || expires_at == null || new Date(expires_at) > now) return record(agentApproval, row);
  const at = new Date(expires_at).toISOString();
  return record(agentApproval, row, { status: 'expired', decided_at: at, decided_by: systemActor, updated_at: at });
}
