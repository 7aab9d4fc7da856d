import { useContext } from 'react';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import type { FieldOptions } from '../../operation/field-control.tsx';
import { type Agent, companiesOf } from './agent.view.ts';

/** Defaults to the chosen company if the agent is bound to it. `ended` includes companies that it is detached from. */
export function useCompanyOfAgent(agent: Agent, ended = false): FieldOptions {
  const chosen = useContext(CompanyContext);
  const { nameOf } = useCompanies();
  const ids = companiesOf(agent, ended);
  return {
    required: true,
    initial: ids.find((id) => id === chosen?.id) ?? ids[0],
    choices: ids.map((id) => [id, nameOf(id)]),
    hint: ids.length === 0 ? 'Attach the agent to a company first.' : undefined,
  };
}
