import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { Money } from '../../components/money.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { Instant } from '../../components/time.tsx';
import { connectionName } from '../../lib/connection-names.ts';
import { actorName, visibleText } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission, useSession } from '../../lib/use-session.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';
import { type Wire, whyNotDecide } from './approval.view.ts';
import { TimeLeft } from './time-left.tsx';

export function WireDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.bank.approvals.get.queryOptions({ approval_id: id }));
  return (
    <RecordDialog
      query={query}
      noun="wire"
      title={({ beneficiary }) => `Wire to ${beneficiary.name}`}
      onClose={onClose}
    >
      {(wire) => (
        <>
          <p className="text-2xl font-semibold">
            <Money cents={wire.amount_cents} currency={wire.currency} />
          </p>
          <WireFacts wire={wire} />
          <Reviews wire={wire} />
          <KeepEdits of={wire.id} value={wire}>
            {(shown, release) => <Decision wire={shown} onEnd={release} />}
          </KeepEdits>
        </>
      )}
    </RecordDialog>
  );
}

function WireFacts({ wire }: { wire: Wire }): React.JSX.Element {
  const trpc = useTRPC();
  // A link may open a wire of a company other than the chosen one.
  const company = useQuery(trpc.companies.get.queryOptions({ company_id: wire.company_id }));
  const { beneficiary } = wire;
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={wire.status} />],
        ['Time left', wire.status === 'pending' ? <TimeLeft approval={wire} /> : null],
        ['Expires', wire.status === 'pending' ? <Instant at={wire.expires_at} /> : null],
        ['Beneficiary', beneficiary.name],
        ['Bank', beneficiary.bank_name],
        ['Account', `ends in ${beneficiary.account_last4}`],
        ['Country', beneficiary.country],
        ['Memo', wire.memo],
        ['From connection', wire.connection_id && <WireConnection id={wire.connection_id} />],
        [
          'Threshold at the time',
          // The company's base currency may have changed since.
          wire.threshold_currency && <Money cents={wire.threshold_cents} currency={wire.threshold_currency} />,
        ],
        ['Company', company.data?.name],
        ['Required approvals', wire.required_approvals],
        ['Requested by', actorName(wire.requested_by)],
        ['Requested', <Instant key="requested" at={wire.created_at} />],
        ['Decided', wire.decided_at && <Instant at={wire.decided_at} />],
        ['ID', <code key="id">{wire.id}</code>],
      ]}
    />
  );
}

function WireConnection({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const isRegistered = id.startsWith('conn_');
  const options = { enabled: isRegistered };
  const { data } = useQuery(trpc.bank.connections.get.queryOptions({ connection_id: id }, options));
  return isRegistered ? <RecordLink record={{ id }} text={data ? connectionName(data) : id} /> : <code>{id}</code>;
}

function Reviews({ wire: { reviews } }: { wire: Wire }): React.JSX.Element | null {
  if (reviews.length === 0) return null;
  return (
    <section aria-label="Decisions" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Decisions</h3>
      <ul className="flex flex-col gap-2 text-sm">
        {reviews.map(({ reviewer, decision, comment, at }) => (
          <li key={`${reviewer.id} ${at}`} className="rounded-md border p-3">
            <p>
              <strong>{decision === 'approve' ? 'Approved' : 'Rejected'}</strong> by {actorName(reviewer)},{' '}
              <Instant at={at} />
            </p>
            {comment !== null && <p className="mt-1 whitespace-pre-wrap wrap-anywhere text-muted">{comment}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Choice = 'approve' | 'reject' | 'cancel';

function Decision({ wire, onEnd }: { wire: Wire; onEnd: () => void }): React.JSX.Element {
  const may = usePermission();
  const { api_key: key } = useSession();
  const [choice, setChoice] = useState<Choice>();
  const why = whyNotDecide(wire, { keyId: key.id, mayDecide: may('bank.approvals.decide') });
  if (choice !== undefined && wire.status === 'pending') {
    const cancel = (): void => {
      setChoice(undefined);
      onEnd();
    };
    return <DecisionForm key={choice} wire={wire} choice={choice} onCancel={cancel} onDone={onEnd} />;
  }
  return (
    <div className="flex flex-col gap-3">
      {why !== undefined && (
        <p className={`text-sm ${wire.status === 'pending' ? 'rounded-md border bg-sunken p-3' : 'text-muted'}`}>
          {why}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {why === undefined && (
          <>
            <Button variant="primary" onClick={() => setChoice('approve')}>
              Approve…
            </Button>
            <Button variant="danger" onClick={() => setChoice('reject')}>
              Reject…
            </Button>
          </>
        )}
        {wire.status === 'pending' && may('bank.approvals.decide') && (
          <Button variant="quiet" onClick={() => setChoice('cancel')}>
            Cancel wire…
          </Button>
        )}
      </div>
    </div>
  );
}

const titles = {
  approve: { title: 'Approve this wire', submit: 'Approve wire' },
  reject: { title: 'Reject this wire', submit: 'Reject wire' },
  cancel: { title: 'Cancel this wire', submit: 'Cancel wire' },
} as const;

interface DecisionFormProps {
  wire: Wire;
  choice: Choice;
  onCancel: () => void;
  onDone: () => void;
}

function DecisionForm({ wire, choice, onCancel, onDone }: DecisionFormProps): React.JSX.Element {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.focus();
  }, []);
  const form = {
    submit: titles[choice].submit,
    danger: choice !== 'approve',
    done: ({ status }: Wire) => (status === 'pending' ? 'Decision recorded.' : `Wire ${status}.`),
    onCancel,
    onDone,
  };
  const summary = (
    <p className="wrap-anywhere">
      <strong>
        <Money cents={wire.amount_cents} currency={wire.currency} /> {wire.currency}
      </strong>{' '}
      to <strong>{visibleText(wire.beneficiary.name)}</strong>, account ending in {wire.beneficiary.account_last4}
    </p>
  );
  return (
    <section ref={section} tabIndex={-1} aria-label={titles[choice].title} className="rounded-lg border p-4">
      {choice === 'cancel' ? (
        <OperationForm operation="bank.approvals.cancel" fixed={{ approval_id: wire.id }} {...form}>
          {summary}
          <p>Cancelled wires can’t be approved. You can record a new one.</p>
        </OperationForm>
      ) : (
        <OperationForm
          operation="bank.approvals.decide"
          fixed={{ approval_id: wire.id, decision: choice }}
          fields={{ comment: { rows: 2 } }}
          {...form}
        >
          {summary}
        </OperationForm>
      )}
    </section>
  );
}
