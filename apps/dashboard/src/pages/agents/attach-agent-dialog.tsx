import { useContext, useState } from 'react';
import { SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import { CaseOptions, CompanyOptions } from '../../operation/record-options.tsx';
import type { Agent } from './agent.view.ts';

export function AttachAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const chosen = useContext(CompanyContext);
  const { all } = useCompanies();
  const open = all.filter(({ status }) => status !== 'dissolved');
  const [picked, setPicked] = useState<string>();
  const companyId = picked ?? open.find(({ id }) => id === chosen?.id)?.id ?? open[0]?.id ?? '';
  return (
    <OperationDialog
      operation="agents.attach"
      title={`Attach ${agent.name}`}
      description="Agents can act only in the companies they are attached to."
      submit="Attach agent"
      done="Agent attached."
      fixed={{ agent_id: agent.id, company_id: companyId }}
      fields={{
        company_id: {
          slot: (errorOf) => (
            <SelectField
              label="Company"
              value={companyId}
              onChange={(event) => setPicked(event.target.value)}
              error={errorOf('company_id')}
            >
              <CompanyOptions />
            </SelectField>
          ),
        },
        case_id: {
          slot: (errorOf) => (
            <SelectField
              key={companyId}
              label="Case"
              name="case_id"
              hint="Shows the newest 200 open and 200 waiting cases."
              error={errorOf('case_id')}
            >
              <option value="">Whole company</option>
              {companyId !== '' && <CaseOptions companyId={companyId} />}
            </SelectField>
          ),
          read: (data) => ({ value: formText(data, 'case_id') }),
        },
        role: {
          placeholder: 'bookkeeper',
          hint: 'What the agent does in this company. Attaching again updates only the role.',
        },
      }}
      onClose={onClose}
    />
  );
}
