import { useContext } from 'react';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { useReachesAll } from '../../lib/use-session.ts';
import type { FieldOptions } from '../../operation/field-control.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent } from './agent.view.ts';

const fields = {
  name: { required: true },
  provider: { required: true, hint: 'Who runs the agent, such as a vendor or your own team.' },
  model: {},
  email: { type: 'email' },
  phone: { type: 'tel', hint: 'In international format, like +14155550123.' },
  metadata: { rows: 3, hint: 'Your own notes, one per line, as key: value.' },
} satisfies Record<string, FieldOptions>;

export function CreateAgentDialog({ onClose, onDone }: { onClose: () => void; onDone: (agent: Agent) => void }) {
  const company = useContext(CompanyContext);
  const { all } = useCompanies();
  const reachesAll = useReachesAll();
  const open = all.filter(({ status }) => status !== 'dissolved').map(({ id }) => id);
  return (
    <OperationDialog
      operation="agents.create"
      title="Create an agent"
      description="A program that acts for your companies."
      submit="Create agent"
      done={({ name }) => `${name} is created.`}
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
      done="The agent is saved."
      fixed={{ agent_id: agent.id }}
      record={agent}
      fields={fields}
      onClose={onClose}
    />
  );
}
