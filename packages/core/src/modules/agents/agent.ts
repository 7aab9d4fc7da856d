import {
  type AgentBinding as AgentBindingRecord,
  type Agent as AgentRecord,
  agentBinding,
  agent as agentSchema,
} from '@finhook/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hasCompanyAccess } from '../../access/access.ts';
import type { Transaction } from '../../db/database.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError, notFound } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { columnsOf, findRecord, insertRecord, recordEntity } from '../../verbs/record-entity.ts';
import { defineStates } from '../../verbs/state-machine.ts';

const AgentBindingSchema = recordEntity('AgentBinding', 'agent_binding', columnsOf(agentBinding));

export class AgentBinding extends AgentBindingSchema.class {}
AgentBindingSchema.setClass(AgentBinding);

const AgentSchema = recordEntity('Agent', 'agent', columnsOf(agentSchema.omit({ bindings: true })));

export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);

/** Fields that a request sets as they are. */
export const agentFields = ['name', 'provider', 'model', 'phone', 'email'] as const;

export type AgentRow = RowOf<typeof agentSchema, never, 'bindings'>;

export function toAgent(row: Agent | AgentRow, bindings: readonly AgentBinding[]): AgentRecord {
  return record(agentSchema, row, { bindings: bindings.map((binding) => record(agentBinding, binding)) });
}

export const agentStates = defineStates('agent', { active: ['paused'], paused: ['active'] });

/** An unlinked binding can be attached again, but not resumed. */
export const bindingStates = defineStates('binding', {
  linked: ['paused', 'unlinked'],
  paused: ['linked', 'unlinked'],
  unlinked: ['linked'],
});

export function bindingDetached(): DomainError {
  return new DomainError('invalid_state_transition', {
    detail: 'The agent is detached from this company. Attach it again before pausing or resuming it there.',
    extra: { current_status: 'unlinked', allowed: ['linked'] },
  });
}

export interface FoundAgent {
  agent: Agent;
  bindings: AgentBinding[];
  isFullyAccessible: boolean;
}

/** A key of scope `agent` sees only its own agent. */
export function canSeeAgent({ scope, access }: Pick<Context, 'scope' | 'access'>, agentId: string): boolean {
  return scope !== 'agent' || access.agentId === agentId;
}

async function readAgent(em: EntityManager, context: Context, agentId: string, lock: boolean): Promise<FoundAgent> {
  if (!canSeeAgent(context, agentId)) throw notFound('agent');
  const agent = await findRecord(em, context, Agent, agentId, lock);
  if (!agent) throw notFound('agent');
  const ofAgent = { agent_id: agentId, account_id: context.accountId };
  const all = await em.find(AgentBinding, ofAgent, { orderBy: { id: 'asc' } });
  const bindings = all.filter((binding) => hasCompanyAccess(context, binding.company_id));
  const isRestricted = context.scope !== 'agent' && context.access.companyIds !== undefined;
  if (isRestricted && bindings.length === 0) throw notFound('agent');
  const isFullyAccessible = all.every(
    ({ status, company_id }) => status === 'unlinked' || hasCompanyAccess(context, company_id),
  );
  return { agent, bindings, isFullyAccessible };
}

/** A restricted key sees agents that are or were attached to one of its companies. */
export function findAgent(context: Context, agentId: string): Promise<FoundAgent> {
  return readAgent(context.database.em(), context, agentId, false);
}

/** Like `findAgent`, and locks the row until the transaction ends. */
export function lockAgent(em: EntityManager, context: Context, agentId: string): Promise<FoundAgent> {
  return readAgent(em, context, agentId, true);
}

export function assertFullAgentAccess({ isFullyAccessible }: Pick<FoundAgent, 'isFullyAccessible'>): void {
  if (isFullyAccessible) return;
  throw new DomainError('insufficient_scope', {
    detail:
      'The agent is attached to companies that this key has no access to. Send a company_id, or use a key with access to the whole account.',
  });
}

/** A null case matches only bindings without a case. */
export function bindingAt(
  { bindings }: FoundAgent,
  attachment: { company_id?: string | null | undefined; case_id?: string | null | undefined },
): AgentBinding | undefined {
  return bindings.find(
    ({ company_id, case_id }) =>
      company_id === attachment.company_id && (case_id ?? null) === (attachment.case_id ?? null),
  );
}

export type AgentMove = AgentRecord & { binding: AgentBindingRecord };

/** Response and event data of a binding change. The event lists only the bindings to its company. */
export function describeMove(
  { agent, bindings }: FoundAgent,
  changed: AgentBinding,
): { output: AgentMove; data: AgentMove } {
  const binding = record(agentBinding, changed);
  const ofCompany = bindings.filter(({ company_id }) => company_id === changed.company_id);
  return { output: { ...toAgent(agent, bindings), binding }, data: { ...toAgent(agent, ofCompany), binding } };
}

interface Attachment {
  agent_id: string;
  company_id: string;
  case_id?: string | null | undefined;
  role?: string | null | undefined;
}

export function addBinding(tx: Transaction, context: Context, attachment: Attachment): Promise<AgentBinding> {
  const now = context.clock.now();
  const fields = {
    agent_id: attachment.agent_id,
    company_id: attachment.company_id,
    case_id: attachment.case_id ?? null,
    role: attachment.role ?? null,
    status: 'linked' as const,
    linked_at: now,
    unlinked_at: null,
  };
  return insertRecord(tx, context, AgentBinding, 'bind', fields, now);
}
