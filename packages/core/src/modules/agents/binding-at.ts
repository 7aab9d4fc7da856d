import type { Agent, AgentBinding as AgentBindingRecord } from '@finhook/contracts';
import type { AgentBinding } from './agent-binding.entity.ts';
import type { FoundAgent } from './find-agent.ts';

/** The binding to exactly this company and case; no case is a value like any other. */
export function bindingAt(
  { bindings }: FoundAgent,
  place: { company_id?: string | null | undefined; case_id?: string | null | undefined },
): AgentBinding | undefined {
  return bindings.find(
    ({ companyId, caseId }) => companyId === place.company_id && (caseId ?? null) === (place.case_id ?? null),
  );
}

/** An agent with one of its bindings. */
export type AgentMove = Agent & { binding: AgentBindingRecord };

/**
 * What is answered after a change of a binding, and the event's data: an event of a company tells of the agent's
 * bindings to that company only.
 */
export function describeMove(
  { agent, bindings }: FoundAgent,
  changed: AgentBinding,
): { output: AgentMove; data: AgentMove } {
  const binding = changed.toRecord();
  const ofCompany = bindings.filter(({ companyId }) => companyId === changed.companyId);
  return { output: { ...agent.toRecord(bindings), binding }, data: { ...agent.toRecord(ofCompany), binding } };
}
