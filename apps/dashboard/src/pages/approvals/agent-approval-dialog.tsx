import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { AgentName } from '../../components/links.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { Instant } from '../../components/time.tsx';
import { parseJson } from '../../lib/parse-json.ts';
import { actorName, visibleJson, visibleText } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import type { ParsedValue } from '../../operation/field-values.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { type ErrorOf, OperationForm } from '../../operation/operation-form.tsx';
import { type AgentApproval, type Choice, choicesOf, samePersonNote } from './approval.view.ts';
import { TimeLeft } from './time-left.tsx';

export function AgentApprovalDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.agentApprovals.get.queryOptions({ agent_approval_id: id }));
  return (
    <RecordDialog query={query} noun="approval" title={({ title }) => title} onClose={onClose}>
      {(approval) => (
        <>
          {approval.description !== null && (
            <p className="text-sm whitespace-pre-wrap wrap-anywhere">{visibleText(approval.description)}</p>
          )}
          <ApprovalFacts approval={approval} />
          {approval.payload != null && <JsonBlock label="Values" value={approval.payload} />}
          {approval.edited_payload != null && <JsonBlock label="Approved payload" value={approval.edited_payload} />}
          <KeepEdits of={approval.id} value={approval}>
            {(shown, release) => shown.status === 'pending' && <Decision approval={shown} onEnd={release} />}
          </KeepEdits>
        </>
      )}
    </RecordDialog>
  );
}

function ApprovalFacts({ approval }: { approval: AgentApproval }): React.JSX.Element {
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={approval.status} />],
        ['Time left', approval.status === 'pending' ? <TimeLeft approval={approval} /> : null],
        ['Expires', approval.expires_at && <Instant at={approval.expires_at} />],
        ['Risk', approval.risk && sentenceCase(approval.risk)],
        ['Options', approval.options.length === 0 ? null : approval.options.join(', ')],
        ['Chosen option', approval.chosen_option],
        ['Agent', <AgentName key="agent" id={approval.agent_id} />],
        [
          'Action',
          approval.action_id && <RecordLink record={{ id: approval.action_id, stored: approval }} text="View action" />,
        ],
        ['Requested by', approval.requested_by && <ActorLine actor={approval.requested_by} />],
        ['Requested', <Instant key="requested" at={approval.requested_at} />],
        ['Decided', approval.decided_at && <Instant at={approval.decided_at} />],
        ['Decided by', approval.decided_by && <ActorLine actor={approval.decided_by} />],
        ['Note', samePersonNote(approval)],
        ['Comment', approval.decision_comment],
        ['ID', <code key="id">{approval.id}</code>],
      ]}
    />
  );
}

function ActorLine({ actor }: { actor: NonNullable<AgentApproval['decided_by']> }): React.JSX.Element {
  return (
    <>
      {visibleText(actorName(actor))}
      {actor.person_id !== null && (
        <span className="block text-muted">
          Person <code className="wrap-anywhere">{actor.person_id}</code>
        </span>
      )}
    </>
  );
}

type Step = Choice | 'cancel';

function Decision({ approval, onEnd }: { approval: AgentApproval; onEnd: () => void }): React.JSX.Element {
  const may = usePermission();
  const [step, setStep] = useState<Step>();
  if (step !== undefined) {
    const cancel = (): void => {
      setStep(undefined);
      onEnd();
    };
    return <DecisionForm approval={approval} step={step} onCancel={cancel} onDone={onEnd} />;
  }
  return (
    <div className="flex flex-wrap gap-2">
      {may('agentApprovals.decide') && (
        <>
          {choicesOf(approval).map((choice) => (
            <Button
              key={choice.option ?? choice.decision}
              variant={choice.decision === 'approve' ? 'primary' : 'danger'}
              className="min-w-0 whitespace-normal! wrap-anywhere"
              onClick={() => setStep(choice)}
            >
              {choice.option === undefined ? sentenceCase(choice.decision) : visibleText(choice.option)}…
            </Button>
          ))}
        </>
      )}
      {may('agentApprovals.cancel') && (
        <Button variant="quiet" onClick={() => setStep('cancel')}>
          Withdraw request…
        </Button>
      )}
      {!may('agentApprovals.decide') && (
        <p className="text-sm text-muted">
          Your key can’t review requests. Reviewing requires the approvals:write permission.
        </p>
      )}
    </div>
  );
}

const titles = {
  approve: { title: 'Approve this request', submit: 'Approve request' },
  deny: { title: 'Deny this request', submit: 'Deny request' },
  cancel: { title: 'Withdraw this request', submit: 'Withdraw request' },
} as const;

interface DecisionFormProps {
  approval: AgentApproval;
  step: Step;
  onCancel: () => void;
  onDone: () => void;
}

function readEdited(shown: string, data: FormData): ParsedValue {
  const text = formText(data, 'edited_payload');
  return parseJson(text === shown ? undefined : text);
}

function DecisionForm({ approval, step, onCancel, onDone }: DecisionFormProps): React.JSX.Element {
  const section = useRef<HTMLElement>(null);
  // The button that had the focus is gone, so the focus moves here.
  useEffect(() => {
    section.current?.focus();
  }, []);
  const choice = step === 'cancel' ? undefined : step;
  const { title, submit } = titles[choice?.decision ?? 'cancel'];
  const payload = approval.payload == null ? '' : visibleJson(approval.payload);
  const shared = {
    submit,
    done: ({ status }: AgentApproval) => `Request ${status}.`,
    onCancel,
    onDone,
  };
  const fixed = { agent_approval_id: approval.id };
  return (
    <section ref={section} tabIndex={-1} aria-label={title} className="rounded-lg border p-4">
      {choice === undefined ? (
        <OperationForm operation="agentApprovals.cancel" fixed={fixed} {...shared}>
          <p>Withdrawn requests can’t be approved. The agent can send a new request.</p>
        </OperationForm>
      ) : (
        <OperationForm
          operation="agentApprovals.decide"
          danger={choice.decision === 'deny'}
          fixed={{ ...fixed, ...choice }}
          fields={{
            comment: { rows: 2 },
            ...(choice.decision === 'approve' && {
              edited_payload: {
                slot: (errorOf: ErrorOf) => (
                  <TextArea
                    label="Values"
                    name="edited_payload"
                    rows={6}
                    className="[&_textarea]:font-mono"
                    defaultValue={payload}
                    hint="Change values before approving (optional). Redacted values stay redacted."
                    error={errorOf('edited_payload')}
                  />
                ),
                read: (data: FormData) => readEdited(payload, data),
              },
            }),
          }}
          {...shared}
        >
          {choice.option !== undefined && (
            <p>
              Decision: <strong>{visibleText(choice.option)}</strong>. The request becomes{' '}
              {choice.decision === 'approve' ? 'approved' : 'denied'}.
            </p>
          )}
        </OperationForm>
      )}
    </section>
  );
}
