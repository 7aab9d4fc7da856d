import { useState } from 'react';
import { Options, SelectField } from '../../components/field.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import { optionOf } from '../../operation/options.ts';
import type { Action, Agent } from './agent.view.ts';
import { outcomeSlots } from './outcome-fields.tsx';
import { useCompanyOfAgent } from './use-company-of-agent.ts';

const statuses: ReadonlyArray<readonly [Action['status'], string]> = [
  ['logged', 'In progress'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['blocked', 'Blocked'],
];

export function LogActionDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const [status, setStatus] = useState<Action['status']>('logged');
  return (
    <OperationDialog
      operation="agentActions.create"
      title="Log action"
      description={`Records an action that ${agent.name} took.`}
      submit="Log action"
      done={({ result }) => (result === 'created' ? 'Action logged.' : 'Already logged. Nothing changed.')}
      fixed={{ agent_id: agent.id, status }}
      fields={{
        company_id: useCompanyOfAgent(agent),
        type: { placeholder: 'email.send' },
        title: { hint: 'Defaults to the type.' },
        status: {
          slot: () => (
            <SelectField
              label="Status"
              value={status}
              onChange={({ target }) => setStatus(optionOf('agentActions.create', 'status', target.value) ?? 'logged')}
            >
              <Options values={statuses} />
            </SelectField>
          ),
        },
        ...outcomeSlots(status),
        risk: { none: 'Not rated' },
        input: { hint: 'JSON, up to 16 KiB. Values that look like secrets are redacted.' },
        run_id: {},
        external_id: { label: 'External ID', hint: 'Your own ID for the action. Each ID is logged only once.' },
      }}
      onClose={onClose}
    />
  );
}
