import { useContext } from 'react';
import { fieldError } from '../../data/problem.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { CompanyContext } from '../../shell/company-context.ts';
import { SelectField } from '../../ui/field.tsx';
import { type Agent, companiesOf } from './agent.view.ts';

export interface CompanyOfAgentProps {
  agent: Agent;
  error: unknown;
  /** Also companies that the agent is detached from by now. */
  ended?: boolean;
}

/** Which of the agent's companies something is about; the chosen one where the agent works for it. */
export function CompanyOfAgent({ agent, error, ended = false }: CompanyOfAgentProps): React.JSX.Element {
  const chosen = useContext(CompanyContext);
  const { nameOf } = useCompanies();
  const ids = companiesOf(agent, ended);
  return (
    <SelectField
      label="Company"
      name="company_id"
      required
      defaultValue={ids.find((id) => id === chosen?.id) ?? ids[0]}
      hint={ids.length === 0 ? 'Attach the agent to a company first.' : undefined}
      error={fieldError(error, 'company_id')}
    >
      {ids.map((id) => (
        <option key={id} value={id}>
          {nameOf(id)}
        </option>
      ))}
    </SelectField>
  );
}

/** How much may go wrong with it. */
export function RiskField(): React.JSX.Element {
  return (
    <SelectField label="Risk" name="risk">
      <option value="">Not rated</option>
      <option value="low">Low</option>
      <option value="medium">Medium</option>
      <option value="high">High</option>
    </SelectField>
  );
}

/** The chosen risk; undefined when it is not rated. */
export function riskOf(data: FormData): 'low' | 'medium' | 'high' | undefined {
  return (['low', 'medium', 'high'] as const).find((risk) => risk === data.get('risk'));
}
