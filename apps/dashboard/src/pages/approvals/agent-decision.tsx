import { TextArea } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { parseJson } from '../../lib/parse-json.ts';
import { visibleJson, visibleText } from '../../lib/text.ts';
import { usePermission } from '../../lib/use-session.ts';
import type { ParsedValue } from '../../operation/field-values.ts';
import { type ErrorOf, type FieldsOf, OperationForm } from '../../operation/operation-form.tsx';
import { type AgentApproval, type Choice, choicesOf, settledText } from './approval.view.ts';
import { Decide, type Step } from './decide.tsx';

interface AgentDecisionProps {
  approval: AgentApproval;
  onEnd: () => void;
}

export function AgentDecision({ approval, onEnd }: AgentDecisionProps): React.JSX.Element {
  const may = usePermission();
  if (approval.status !== 'pending') {
    return (
      <Decide steps={[]} onEnd={onEnd}>
        <p className="text-sm text-muted">{settledText(approval.status)}</p>
      </Decide>
    );
  }
  const mayDecide = may('agentApprovals.decide');
  return (
    <Decide
      steps={[
        ...(mayDecide ? choicesOf(approval).map((choice) => decideStep(approval, choice)) : []),
        ...(may('agentApprovals.cancel') ? [cancelStep(approval)] : []),
      ]}
      onEnd={onEnd}
    >
      {!mayDecide && (
        <p className="text-sm text-muted">
          Your key can’t approve or deny requests. It needs the approvals:write permission.
        </p>
      )}
    </Decide>
  );
}

const texts = {
  approve: { label: 'Approve', title: 'Approve this request', submit: 'Approve request', variant: 'primary' },
  deny: { label: 'Deny', title: 'Deny this request', submit: 'Deny request', variant: 'danger' },
} as const;

const done = ({ status }: AgentApproval): string => `Request ${status}.`;

function decideStep(approval: AgentApproval, { decision, option }: Choice): Step {
  const { submit, label, ...shown } = texts[decision];
  return {
    id: `${decision} ${option ?? ''}`,
    label: option === undefined ? label : visibleText(option),
    ...shown,
    form: (end) => (
      <OperationForm
        operation="agentApprovals.decide"
        danger={decision === 'deny'}
        fixed={{ agent_approval_id: approval.id, decision, ...(option !== undefined && { option }) }}
        fields={decision === 'deny' ? denial : approvalFields(approval)}
        submit={submit}
        done={done}
        {...end}
      >
        {option !== undefined && (
          <p>
            Decision: <strong>{visibleText(option)}</strong>. The request becomes{' '}
            {decision === 'approve' ? 'approved' : 'denied'}.
          </p>
        )}
      </OperationForm>
    ),
  };
}

const denial: FieldsOf<'agentApprovals.decide'> = { comment: { label: 'Reason', rows: 2, required: true } };

function approvalFields({ payload }: AgentApproval): FieldsOf<'agentApprovals.decide'> {
  const shown = payload == null ? '' : visibleJson(payload);
  return {
    comment: { rows: 2 },
    edited_payload: {
      fold: 'Change values before approving (optional)',
      slot: (errorOf: ErrorOf) => (
        <TextArea
          label="Values"
          name="edited_payload"
          rows={6}
          className="[&_textarea]:font-mono"
          defaultValue={shown}
          hint="Redacted values stay redacted."
          error={errorOf('edited_payload')}
        />
      ),
      read: (data: FormData) => readEdited(shown, data),
    },
  };
}

function readEdited(shown: string, data: FormData): ParsedValue {
  const text = formText(data, 'edited_payload');
  return parseJson(text === shown ? undefined : text);
}

function cancelStep(approval: AgentApproval): Step {
  return {
    id: 'cancel',
    label: 'Withdraw request',
    title: 'Withdraw this request',
    variant: 'quiet',
    form: (end) => (
      <OperationForm
        operation="agentApprovals.cancel"
        fixed={{ agent_approval_id: approval.id }}
        submit="Withdraw request"
        done={done}
        {...end}
      >
        <p>Withdrawn requests can’t be approved. The agent can send a new request.</p>
      </OperationForm>
    ),
  };
}
