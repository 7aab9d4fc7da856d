import { type Agent as AgentRecord, agentBinding, agent as schema } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { type RowOf, record } from '../../kernel/record.ts';
import type { AgentBinding } from './agent-binding.entity.ts';

const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agent',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
    name: p.text(),
    provider: p.text(),
    model: p.text().nullable(),
    phone: p.text().nullable(),
    email: p.text().nullable(),
    status: p.text().$type<AgentRecord['status']>(),
    paused_reason: p.text().nullable(),
    metadata: p.json().$type<Record<string, string>>(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);

export type AgentRow = RowOf<typeof schema, never, 'bindings'>;

export function toAgent(row: Agent | AgentRow, bindings: readonly AgentBinding[]): AgentRecord {
  return record(schema, row, { bindings: bindings.map((binding) => record(agentBinding, binding)) });
}
