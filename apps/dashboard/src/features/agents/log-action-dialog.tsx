import { useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import type { Action, Agent } from './agent.view.ts';
import { OutcomeFields, outcomeOf } from './outcome-fields.tsx';
import { CompanyOfAgent, RiskField, riskOf } from './place-fields.tsx';

const statuses = [
  ['logged', 'It has begun'],
  ['completed', 'It is completed'],
  ['failed', 'It failed'],
  ['blocked', 'It is blocked'],
] as const;

interface Faults {
  input?: string;
  output?: string;
}

/** Logs an action for the agent, at its beginning or with its outcome. */
export function LogActionDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const [status, setStatus] = useState<Action['status']>('logged');
  const [faults, setFaults] = useState<Faults>({});
  const log = useOperation('agentActions.create', {
    done: ({ result }) => (result === 'created' ? 'The action is logged.' : 'It was logged before: nothing changed.'),
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    const input = parseJson(formText(data, 'input'));
    const outcome = outcomeOf(data, status);
    setFaults({
      ...('fault' in input ? { input: input.fault } : {}),
      ...('fault' in outcome ? { output: outcome.fault } : {}),
    });
    if ('fault' in input || 'fault' in outcome) return;
    log.mutate({
      agent_id: agent.id,
      company_id: formText(data, 'company_id') ?? '',
      type: formText(data, 'type') ?? '',
      title: formText(data, 'title'),
      run_id: formText(data, 'run_id'),
      external_id: formText(data, 'external_id'),
      risk: riskOf(data),
      input: input.value,
      status,
      ...outcome,
    });
  }
  const { error } = log;
  return (
    <Dialog open onClose={onClose} title="Log action" description={`Something that ${agent.name} does or did.`}>
      <Form submit="Log action" busy={log.isPending} error={error} onSubmit={submit} onCancel={onClose}>
        <CompanyOfAgent agent={agent} error={error} />
        <TextField label="Type" name="type" required placeholder="email.send" error={fieldError(error, 'type')} />
        <TextField label="Title" name="title" hint="The type, when left out." error={fieldError(error, 'title')} />
        <SelectField
          label="How it stands"
          value={status}
          onChange={(event) => setStatus(statuses.find(([id]) => id === event.target.value)?.[0] ?? 'logged')}
        >
          {statuses.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
        <OutcomeFields status={status} error={error} fault={faults.output} />
        <RiskField />
        <TextArea
          label="Input"
          name="input"
          className="[&_textarea]:font-mono"
          hint="JSON of at most 16 KiB. Values that look like secrets are not stored."
          error={faults.input ?? fieldError(error, 'input')}
        />
        <TextField label="Run" name="run_id" error={fieldError(error, 'run_id')} />
        <TextField
          label="External id"
          name="external_id"
          hint="Your own id of it: the same one is never logged twice."
          error={fieldError(error, 'external_id')}
        />
      </Form>
    </Dialog>
  );
}
