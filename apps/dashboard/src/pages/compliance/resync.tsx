import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Loaded } from '../../components/states.tsx';
import { Day } from '../../components/time.tsx';
import { problemOf } from '../../lib/problem.ts';
import { visibleText } from '../../lib/text.ts';
import { useTRPCClient } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';
import { plannedChanges, type Resync, resyncSummary, submitText } from './resync.view.ts';

export function ResyncButton(): React.JSX.Element {
  return (
    <OperationButton operation="compliance.resync" label="Update obligations" needsCompany>
      {(close) => <ResyncDialog onClose={close} />}
    </OperationButton>
  );
}

const PLAN_CHANGED =
  'Nothing was created, because the filings or the company changed since you opened this dialog. Check the new list and confirm it.';

/** Shows what a resync would create before it runs. */
function ResyncDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const { id } = useCompany();
  const client = useTRPCClient();
  const plan = useQuery({
    // As tRPC makes its keys, so that changes of the filings refetch it.
    queryKey: [['compliance', 'plan'], { input: { company_id: id }, type: 'query' }],
    queryFn: () => client.compliance.resync.mutate({ company_id: id, dry_run: true }),
    staleTime: 0,
    gcTime: 0,
  });
  const [refused, setRefused] = useState<Error>();
  const onError = (error: Error): void => {
    const isOther = problemOf(error)?.code === 'count_changed';
    setRefused(isOther ? new Error(PLAN_CHANGED) : undefined);
    if (isOther) void plan.refetch();
  };
  return (
    <Dialog open onClose={onClose} title="Update obligations">
      <Loaded query={plan} label="Looking for missing filings" lines={5}>
        {(planned) => (
          <OperationForm
            operation="compliance.resync"
            fixed={{ company_id: id, expected_count: planned.filings_opened }}
            submit={submitText(planned)}
            done={resyncSummary}
            onDone={onClose}
            onError={onError}
            error={refused}
            onCancel={onClose}
          >
            <Plan plan={planned} />
          </OperationForm>
        )}
      </Loaded>
    </Dialog>
  );
}

function Plan({ plan }: { plan: Resync }): React.JSX.Element {
  const { planned_filings: planned = [] } = plan;
  const changes = plannedChanges(plan);
  return (
    <>
      <p>
        {planned.length === 0
          ? 'No filing is missing for the next 12 months.'
          : 'These filings of the next 12 months are missing:'}
      </p>
      {planned.length > 0 && (
        <ul aria-label="Filings to create" className="flex flex-col divide-y rounded-md border">
          {planned.map(({ obligation_key, due_date, title, jurisdiction, likely_duplicates }) => (
            <li key={`${obligation_key} ${due_date}`} className="flex flex-col gap-1 px-3 py-2">
              <span className="wrap-anywhere">{visibleText(title)}</span>
              <span className="text-xs text-muted">
                <Day day={due_date} />
                {jurisdiction !== null && ` · ${jurisdiction}`}
              </span>
              {likely_duplicates.map((filing) => (
                <span key={filing.id} className="text-xs wrap-anywhere text-warn">
                  Likely the same as {visibleText(filing.title)}, due <Day day={filing.due_date} />
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
      {changes !== undefined && <p className="text-muted">{changes}</p>}
    </>
  );
}
