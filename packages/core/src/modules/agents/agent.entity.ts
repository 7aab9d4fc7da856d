import type { Agent as AgentRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AgentBinding } from './agent-binding.entity.ts';

const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agent',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    name: p.text(),
    provider: p.text(),
    model: p.text().nullable(),
    phone: p.text().nullable(),
    email: p.text().nullable(),
    status: p.text().$type<AgentRecord['status']>(),
    pausedReason: p.text().nullable(),
    metadata: p.json().$type<Record<string, string>>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** Software that works for companies of an account. */
export class Agent extends AgentSchema.class {
  toRecord(bindings: readonly AgentBinding[]): AgentRecord {
    return {
      id: this.id,
      object: 'agent',
      account_id: this.accountId,
      name: this.name,
      provider: this.provider,
      model: this.model ?? null,
      phone: this.phone ?? null,
      email: this.email ?? null,
      status: this.status,
      paused_reason: this.pausedReason ?? null,
      bindings: bindings.map((binding) => binding.toRecord()),
      metadata: this.metadata,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
AgentSchema.setClass(Agent);
