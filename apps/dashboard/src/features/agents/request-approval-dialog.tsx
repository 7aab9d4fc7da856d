import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { faultOf } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useAction } from '../../data/use-action.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
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
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [fault, setFault] = useState<string>();
  const request = useAction((ctx) => trpc.agentApprovals.request.mutationOptions(ctx), {
    done: 'Approval requested.',
    quiet: true,
    onDone() {
      void queryClient.invalidateQueries(trpc.agentApprovals.pathFilter());
      onClose();
    },
  });
  function submit(data: FormData): void {
    const payload = parseJson(textOf(data, 'payload'));
    setFault('fault' in payload ? payload.fault : undefined);
    if ('fault' in payload) return;
    const hours = textOf(data, 'hours');
    request.mutate({
      agent_id: agent.id,
      company_id: textOf(data, 'company_id') ?? '',
      title: textOf(data, 'title') ?? '',
      description: textOf(data, 'description'),
      action_id: textOf(data, 'action_id'),
      risk: riskOf(data),
      options: (textOf(data, 'options') ?? '')
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
        <TextField label="Title" name="title" required error={faultOf(error, 'title')} />
        <TextArea label="Description" name="description" rows={3} error={faultOf(error, 'description')} />
        <TextArea
          label="Payload"
          name="payload"
          className="[&_textarea]:font-mono"
          hint="JSON of at most 16 KiB: what is to be approved."
          error={fault ?? faultOf(error, 'payload')}
        />
        <RiskField />
        <TextArea
          label="Options"
          name="options"
          rows={2}
          hint="What can be chosen between, one per line."
          error={faultOf(error, 'options')}
        />
        <TextField
          label="Action"
          name="action_id"
          placeholder="act_…"
          hint="The id of the logged action that waits for it."
          error={faultOf(error, 'action_id')}
        />
        <SelectField label="Expires" name="hours" defaultValue="24" error={faultOf(error, 'expires_at')}>
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
