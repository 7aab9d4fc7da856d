import { Options, SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent } from './agent.view.ts';
import { useCompanyOfAgent } from './use-company-of-agent.ts';

const HOUR_MS = 3_600_000;
const spans = [
  ['', 'Never'],
  ['1', 'After 1 hour'],
  ['24', 'After 1 day'],
  ['72', 'After 3 days'],
  ['168', 'After 1 week'],
] as const;

function readExpiry(data: FormData): { value: unknown } {
  const hours = formText(data, 'hours');
  return { value: hours && new Date(Date.now() + Number(hours) * HOUR_MS).toISOString() };
}

export function RequestApprovalDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="agentApprovals.request"
      title="Request approval"
      description={`Asks a person to approve an action of ${agent.name}.`}
      submit="Request approval"
      done="Approval requested."
      fixed={{ agent_id: agent.id }}
      fields={{
        company_id: useCompanyOfAgent(agent),
        title: {},
        description: { rows: 3 },
        payload: { hint: 'The data to approve, as JSON, up to 16 KiB.' },
        risk: { none: 'Not rated' },
        options: { rows: 2, hint: 'Choices for the reviewer, one per line.' },
        action_id: { placeholder: 'act_…', hint: 'ID of the logged action that needs this approval.' },
        expires_at: {
          slot: (errorOf) => (
            <SelectField label="Expires" name="hours" defaultValue="24" error={errorOf('expires_at')}>
              <Options values={spans} />
            </SelectField>
          ),
          read: readExpiry,
        },
      }}
      onClose={onClose}
    />
  );
}
