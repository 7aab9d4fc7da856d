import { fieldError } from '../../data/problem.ts';
import type { Inputs } from '../../data/trpc.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { formText } from '../../ui/form.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import type { Action } from './agent.view.ts';

type Outcome = Pick<Inputs['agentActions']['update'], 'output' | 'error' | 'blocked'>;

export interface OutcomeFieldsProps {
  status: Action['status'];
  error: unknown;
  /** Why the output can't be read as JSON. */
  fault: string | undefined;
}

/** What belongs to each way in which an action can stand: an output, an error, or why it is blocked. */
export function OutcomeFields({ status, error, fault }: OutcomeFieldsProps): React.JSX.Element | null {
  if (status === 'logged') return null;
  if (status === 'blocked') {
    return (
      <>
        <TextField label="What blocks it" name="blocked_reason" required error={fieldError(error, 'blocked/reason')} />
        <TextField label="Policy" name="blocked_policy" error={fieldError(error, 'blocked/policy')} />
        <TextField
          label="Approval"
          name="blocked_approval"
          placeholder="aap_…"
          hint="The id of the approval that it waits for."
          error={fieldError(error, 'blocked/approval_id')}
        />
      </>
    );
  }
  return (
    <>
      {status === 'failed' && (
        <>
          <TextField
            label="Error code"
            name="error_code"
            required
            placeholder="smtp_refused"
            error={fieldError(error, 'error/code')}
          />
          <TextField label="Error message" name="error_message" required error={fieldError(error, 'error/message')} />
        </>
      )}
      <TextArea
        label="Output"
        name="output"
        className="[&_textarea]:font-mono"
        hint="JSON of at most 16 KiB. Values that look like secrets are not stored."
        error={fault ?? fieldError(error, 'output')}
      />
    </>
  );
}

/** What the fields hold for that status, or why the output is no JSON. */
export function outcomeOf(data: FormData, status: Action['status']): Outcome | { fault: string } {
  if (status === 'logged') return {};
  if (status === 'blocked') {
    return {
      blocked: {
        reason: formText(data, 'blocked_reason') ?? '',
        policy: formText(data, 'blocked_policy'),
        approval_id: formText(data, 'blocked_approval'),
      },
    };
  }
  const output = parseJson(formText(data, 'output'));
  if ('fault' in output) return output;
  const failure =
    status === 'failed'
      ? { error: { code: formText(data, 'error_code') ?? '', message: formText(data, 'error_message') ?? '' } }
      : {};
  return { output: output.value, ...failure };
}
