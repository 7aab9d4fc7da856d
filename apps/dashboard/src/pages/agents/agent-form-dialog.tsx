import { useContext } from 'react';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { useReachesAll } from '../../lib/use-session.ts';
import type { FieldOptions } from '../../operation/field-control.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent } from './agent.view.ts';

const fields = {
  name: { required: true },
  provider: { required: true, hint: 'The vendor or team that runs the agent.' },
  model: {},
  email: { type: 'email' },
  phone: { type: 'tel', hint: 'International format, like +14155550123.' },
  metadata: { rows: 3, hint: 'One key: value pair per line.' },
} satisfies Record<string, FieldOptions>;

export function CreateAgentDialog({ onClose, onDone }: { onClose: () => void; onDone: (agent: Agent) => void }) {
  const company = useContext(CompanyContext);
  const { all } = useCompanies();
  const reachesAll = useReachesAll();
  const open = all.filter(({ status }) => status !== 'dissolved').map(({ id }) => id);
  return (
    <OperationDialog
      operation="agents.create"
      title="Create agent"
      description="An AI agent or script that acts for your companies."
      submit="Create agent"
      done="Agent created."
      fixed={{}}
      fields={{
        ...fields,
        company_id: {
          label: 'Attach to company',
          initial: open.find((id) => id === company?.id) ?? '',
          ...(reachesAll && { none: 'No company yet' }),
        },
      }}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

export function EditAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="agents.update"
      title={`Edit ${agent.name}`}
      submit="Save agent"
      done="Agent saved."
      fixed={{ agent_id: agent.id }}
      record={agent}
      fields={fields}
      onClose={onClose}
    />
  );
}
