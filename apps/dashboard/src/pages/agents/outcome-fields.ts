import { objectField } from '../../operation/object-field.tsx';
import type { Action } from './agent.view.ts';

export function outcomeFields(status: Action['status']) {
  return {
    ...(status === 'failed' && {
      error: objectField('error', [
        ['code', 'Error code', { required: true, placeholder: 'smtp_refused' }],
        ['message', 'Error message', { required: true }],
      ]),
    }),
    ...(status === 'blocked' && {
      blocked: objectField('blocked', [
        ['reason', 'Reason', { required: true }],
        ['policy', 'Policy'],
        ['approval_id', 'Approval', { placeholder: 'aap_…', hint: 'ID of the approval that the action waits for.' }],
      ]),
    }),
    ...((status === 'completed' || status === 'failed') && {
      output: { hint: 'JSON, up to 16 KiB. Values that look like secrets are redacted.' },
    }),
  };
}
