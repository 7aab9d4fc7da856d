import { type Agent, type AgentBinding as AgentBindingRecord, agentBinding } from '@finhook/contracts';
import { record } from '../../kernel/record.ts';
import { toAgent } from './agent.entity.ts';
import type { AgentBinding } from './agent-binding.entity.ts';
import type { FoundAgent } from './find-agent.ts';

/** The binding to exactly this company and case; null matches only bindings without a case. */
export function bindingAt(
  { bindings }: FoundAgent,
  attachment: { company_id?: string | null | undefined; case_id?: string | null | undefined },
): AgentBinding | undefined {
  return bindings.find(
    ({ company_id, case_id }) =>
      company_id === attachment.company_id && (case_id ?? null) === (attachment.case_id ?? null),
  );
}

export type AgentMove = Agent & { binding: AgentBindingRecord };

/**
 * The response to a change of a binding and the event's data. An event of a company has only the agent's bindings to
 * that company.
 */
export function describeMove(
  { agent, bindings }: FoundAgent,
  changed: AgentBinding,
): { output: AgentMove; data: AgentMove } {
  const binding = record(agentBinding, changed);
  const ofCompany = bindings.filter(({ company_id }) => company_id === changed.company_id);
  return { output: { ...toAgent(agent, bindings), binding }, data: { ...toAgent(agent, ofCompany), binding } };
}
