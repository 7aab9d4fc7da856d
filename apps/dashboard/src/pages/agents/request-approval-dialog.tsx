import { SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent } from './agent.view.ts';
import { useCompanyOfAgent } from './use-company-of-agent.ts';

const HOUR_MS = 3_600_000;
const spans = [
  ['', 'Never'],
  ['1', 'After an hour'],
  ['24', 'After a day'],
  ['72', 'After three days'],
  ['168', 'After a week'],
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
      description={`For an action that ${agent.name} is about to take.`}
      submit="Request approval"
      done="Approval requested."
      fixed={{ agent_id: agent.id }}
      fields={{
        company_id: useCompanyOfAgent(agent),
        title: {},
        description: { rows: 3 },
        payload: { hint: 'What is to be approved, as JSON of at most 16 KiB.' },
        risk: { none: 'Not rated' },
        options: { rows: 2, hint: 'Choices for the reviewer, one per line.' },
        action_id: { placeholder: 'act_…', hint: 'ID of the logged action that waits for the approval.' },
        expires_at: {
          slot: (errorOf) => (
            <SelectField label="Expires" name="hours" defaultValue="24" error={errorOf('expires_at')}>
              {spans.map(([hours, label]) => (
                <option key={hours} value={hours}>
                  {label}
                </option>
              ))}
            </SelectField>
          ),
          read: readExpiry,
        },
      }}
      onClose={onClose}
    />
  );
}
