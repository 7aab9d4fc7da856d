import { Money } from '../../components/money.tsx';
import { Instant } from '../../components/time.tsx';
import { actorName, visibleText } from '../../lib/text.ts';
import { usePermission, useSession } from '../../lib/use-session.ts';
import { OperationForm } from '../../operation/operation-form.tsx';
import { statusOf, type Wire, whyNotDecide } from './approval.view.ts';
import { Decide, type Step } from './decide.tsx';

const HOW_TO_ADD = '/docs/records#wires-and-approvals';

export function WireDecision({ wire, onEnd }: { wire: Wire; onEnd: () => void }): React.JSX.Element {
  const may = usePermission();
  const { api_key: key } = useSession();
  const why = whyNotDecide(wire, { keyId: key.id, mayDecide: may('bank.approvals.decide') });
  const mayCancel = wire.status === 'pending' && may('bank.approvals.decide');
  return (
    <Decide
      steps={[
        ...(why === undefined ? [decideStep(wire, 'approve'), decideStep(wire, 'reject')] : []),
        ...(mayCancel ? [cancelStep(wire)] : []),
      ]}
      onEnd={onEnd}
    >
      {why !== undefined && (
        <p className="text-sm text-muted">
          {why.text}{' '}
          {why.asksColleague && (
            <a href={HOW_TO_ADD} className="text-accent underline">
              How to add an approver
            </a>
          )}
        </p>
      )}
      <Reviews wire={wire} />
    </Decide>
  );
}

const texts = {
  approve: { label: 'Approve', title: 'Approve this wire', submit: 'Approve wire', variant: 'primary' },
  reject: { label: 'Deny', title: 'Deny this wire', submit: 'Deny wire', variant: 'danger' },
} as const;

const done = (wire: Wire): string => (wire.status === 'pending' ? 'Decision recorded.' : `Wire ${statusOf(wire)}.`);

function decideStep(wire: Wire, decision: 'approve' | 'reject'): Step {
  const { submit, ...shown } = texts[decision];
  const isDenied = decision === 'reject';
  return {
    id: decision,
    ...shown,
    form: (end) => (
      <OperationForm
        operation="bank.approvals.decide"
        fixed={{ approval_id: wire.id, decision }}
        fields={{ comment: { rows: 2, required: isDenied, ...(isDenied && { label: 'Reason' }) } }}
        submit={submit}
        danger={isDenied}
        done={done}
        {...end}
      >
        <Summary wire={wire} />
      </OperationForm>
    ),
  };
}

function cancelStep(wire: Wire): Step {
  return {
    id: 'cancel',
    label: 'Cancel wire',
    title: 'Cancel this wire',
    variant: 'quiet',
    form: (end) => (
      <OperationForm
        operation="bank.approvals.cancel"
        fixed={{ approval_id: wire.id }}
        submit="Cancel wire"
        danger
        done={done}
        {...end}
      >
        <Summary wire={wire} />
        <p>Cancelled wires can’t be approved. You can record a new one.</p>
      </OperationForm>
    ),
  };
}

function Summary({ wire }: { wire: Wire }): React.JSX.Element {
  return (
    <p className="wrap-anywhere">
      <strong>
        <Money cents={wire.amount_cents} currency={wire.currency} /> {wire.currency}
      </strong>{' '}
      to <strong>{visibleText(wire.beneficiary.name)}</strong>, account ending in {wire.beneficiary.account_last4}
    </p>
  );
}

function Reviews({ wire: { reviews } }: { wire: Wire }): React.JSX.Element | null {
  if (reviews.length === 0) return null;
  return (
    <ul aria-label="Decisions" className="flex flex-col gap-2 text-sm">
      {reviews.map(({ reviewer, decision, comment, at }) => (
        <li key={`${reviewer.id} ${at}`} className="rounded-md border p-3">
          <p>
            <strong>{decision === 'approve' ? 'Approved' : 'Denied'}</strong> by {actorName(reviewer)},{' '}
            <Instant at={at} />
          </p>
          {comment !== null && <p className="mt-1 whitespace-pre-wrap wrap-anywhere text-muted">{comment}</p>}
        </li>
      ))}
    </ul>
  );
}
