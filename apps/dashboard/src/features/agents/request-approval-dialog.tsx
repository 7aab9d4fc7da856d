import { useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import type { Agent } from './agent.view.ts';
import { CompanyOfAgent, RiskField, riskOf } from './place-fields.tsx';

const HOUR_MS = 3_600_000;
const spans = [
  ['', 'Never'],
  ['1', 'After an hour'],
  ['24', 'After a day'],
  ['72', 'After three days'],
  ['168', 'After a week'],
] as const;

/** Asks for an approval in the agent's name. */
export function RequestApprovalDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const [fault, setFault] = useState<string>();
  const request = useOperation('agentApprovals.request', {
    done: 'Approval requested.',
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    const payload = parseJson(formText(data, 'payload'));
    setFault('fault' in payload ? payload.fault : undefined);
    if ('fault' in payload) return;
    const hours = formText(data, 'hours');
    request.mutate({
      agent_id: agent.id,
      company_id: formText(data, 'company_id') ?? '',
      title: formText(data, 'title') ?? '',
      description: formText(data, 'description'),
      action_id: formText(data, 'action_id'),
      risk: riskOf(data),
      options: (formText(data, 'options') ?? '')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
      payload: payload.value,
      expires_at: hours === undefined ? undefined : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString(),
    });
  }
  const { error } = request;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Request approval"
      description={`For something that ${agent.name} is about to do.`}
    >
      <Form submit="Request approval" busy={request.isPending} error={error} onSubmit={submit} onCancel={onClose}>
        <CompanyOfAgent agent={agent} error={error} />
        <TextField label="Title" name="title" required error={fieldError(error, 'title')} />
        <TextArea label="Description" name="description" rows={3} error={fieldError(error, 'description')} />
        <TextArea
          label="Payload"
          name="payload"
          className="[&_textarea]:font-mono"
          hint="JSON of at most 16 KiB: what is to be approved."
          error={fault ?? fieldError(error, 'payload')}
        />
        <RiskField />
        <TextArea
          label="Options"
          name="options"
          rows={2}
          hint="What can be chosen between, one per line."
          error={fieldError(error, 'options')}
        />
        <TextField
          label="Action"
          name="action_id"
          placeholder="act_…"
          hint="The id of the logged action that waits for it."
          error={fieldError(error, 'action_id')}
        />
        <SelectField label="Expires" name="hours" defaultValue="24" error={fieldError(error, 'expires_at')}>
          {spans.map(([hours, label]) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  );
}
