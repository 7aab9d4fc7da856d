import { TextArea, TextField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { parseJson } from '../../lib/parse-json.ts';
import type { ReadValue } from '../../operation/field-values.ts';
import type { ErrorOf, FieldSlot } from '../../operation/operation-form.tsx';
import type { Action } from './agent.view.ts';

interface OutcomeFieldsProps {
  status: Action['status'];
  errorOf: ErrorOf;
}

function OutcomeFields({ status, errorOf }: OutcomeFieldsProps): React.JSX.Element | null {
  if (status === 'logged') return null;
  if (status === 'blocked') {
    return (
      <>
        <TextField label="Reason" name="blocked_reason" required error={errorOf('blocked/reason')} />
        <TextField label="Policy" name="blocked_policy" error={errorOf('blocked/policy')} />
        <TextField
          label="Approval"
          name="blocked_approval"
          placeholder="aap_…"
          hint="ID of the approval that the action waits for."
          error={errorOf('blocked/approval_id')}
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
            error={errorOf('error/code')}
          />
          <TextField label="Error message" name="error_message" required error={errorOf('error/message')} />
        </>
      )}
      <TextArea
        label="Output"
        name="output"
        className="[&_textarea]:font-mono"
        hint="JSON, up to 16 KiB. Values that look like secrets are redacted."
        error={errorOf('output')}
      />
    </>
  );
}

function readBlocked(data: FormData): ReadValue {
  return {
    value: {
      reason: formText(data, 'blocked_reason') ?? '',
      policy: formText(data, 'blocked_policy'),
      approval_id: formText(data, 'blocked_approval'),
    },
  };
}

function readFailure(data: FormData): ReadValue {
  return { value: { code: formText(data, 'error_code') ?? '', message: formText(data, 'error_message') ?? '' } };
}

export function outcomeSlots(status: Action['status']): Record<'output' | 'error' | 'blocked', FieldSlot> {
  const nothing: FieldSlot = { slot: () => null };
  const hasOutput = status === 'completed' || status === 'failed';
  return {
    error: status === 'failed' ? { slot: () => null, read: readFailure } : nothing,
    blocked: status === 'blocked' ? { slot: () => null, read: readBlocked } : nothing,
    output: {
      slot: (errorOf) => <OutcomeFields key={status} status={status} errorOf={errorOf} />,
      ...(hasOutput && { read: (data) => parseJson(formText(data, 'output')) }),
    },
  };
}
