import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { formatDuration } from '../../lib/format-time.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { usePermission } from '../../lib/use-session.ts';
import { OperationForm } from '../../operation/operation-form.tsx';
import { type Action, formatMicros, outcomesOf } from './agent.view.ts';
import { outcomeSlots } from './outcome-fields.tsx';

export function ActionDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const query = useQuery(trpc.agentActions.get.queryOptions({ action_id: id }));
  const action = query.data;
  const outcomes = action === undefined ? [] : outcomesOf(action.status);
  return (
    <Dialog open onClose={onClose} variant="side" title={action?.title ?? 'Action'}>
      {query.isLoading && <Loading label="Loading the action" />}
      {query.error && action === undefined && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {action && (
        <div className="flex flex-col gap-5">
          <ActionFacts action={action} />
          {outcomes.length > 0 && may('agentActions.update') && (
            <OutcomeForm key={action.status} action={action} outcomes={outcomes} />
          )}
          {action.input != null && <JsonBlock label="Input" value={action.input} />}
          {action.output != null && <JsonBlock label="Output" value={action.output} />}
        </div>
      )}
    </Dialog>
  );
}

function ActionFacts({ action }: { action: Action }): React.JSX.Element {
  const { nameOf } = useCompanies([action.company_id]);
  const { blocked, cost } = action;
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={action.status} />],
        ['Error', action.error && `${action.error.code}: ${action.error.message}`],
        ['Blocked by', blocked?.reason],
        ['Policy', blocked?.policy],
        ['Waits for approval', blocked?.approval_id],
        ['Type', <code key="type">{action.type}</code>],
        ['Company', nameOf(action.company_id)],
        [
          'Case',
          action.case_id && (
            <Link
              to="/cases/$caseId"
              params={{ caseId: action.case_id }}
              search={{ company: action.company_id }}
              className="text-accent underline"
            >
              Open the case
            </Link>
          ),
        ],
        ['Risk', action.risk],
        ['Started', <Instant key="started" at={action.started_at} seconds />],
        ['Ended', action.finished_at && <Instant at={action.finished_at} seconds />],
        ['Took', action.duration_ms === null ? null : formatDuration(action.duration_ms)],
        ['Run', action.run_id],
        ['External id', action.external_id],
        ['Tokens in', cost?.input_tokens],
        ['Tokens out', cost?.output_tokens],
        ['Cost', cost?.cost_micros == null ? null : `${formatMicros(cost.cost_micros)} ${cost.currency ?? ''}`],
        ['Id', <code key="id">{action.id}</code>],
      ]}
    />
  );
}

const verbs = { completed: 'Mark completed', failed: 'Mark failed', blocked: 'Mark blocked' } as const;

interface OutcomeFormProps {
  action: Action;
  outcomes: ReturnType<typeof outcomesOf>;
}

function OutcomeForm({ action, outcomes }: OutcomeFormProps): React.JSX.Element {
  const [status, setStatus] = useState<keyof typeof verbs>('completed');
  return (
    <section aria-label="End the action" className="rounded-lg border p-4">
      <OperationForm
        operation="agentActions.update"
        submit={verbs[status]}
        done={(stored) => `The action is ${stored.status}.`}
        fixed={{ action_id: action.id, status }}
        fields={{
          status: {
            slot: () => (
              <SelectField
                label="Outcome"
                value={status}
                onChange={(event) => setStatus(outcomes.find((name) => name === event.target.value) ?? 'completed')}
              >
                <Options values={outcomes} />
              </SelectField>
            ),
          },
          ...outcomeSlots(status),
        }}
      />
    </section>
  );
}
