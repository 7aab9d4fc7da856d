import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState, ErrorState, Loaded, Loading } from '../../components/states.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import { Day } from '../../components/time.tsx';
import { isFirstTry } from '../../lib/first-read.ts';
import { visibleText } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenLink } from '../../operation/resource-list.tsx';
import type { Matrix } from './calendar.view.ts';
import { type Due, type DueGroup, dueGroups, dueText } from './due.view.ts';
import { SubmitDialog } from './submit-filing.tsx';

const MOST_LISTED = 200;

/** What is not submitted, the most urgent first. */
export function DueList({ today }: { today: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { id } = useCompany();
  const filings = useQuery(
    trpc.filings.list.queryOptions({ company_id: id, status: 'open', order: 'asc', limit: MOST_LISTED }),
  );
  const matrix = useQuery(trpc.compliance.get.queryOptions({ company_id: id }));
  return (
    <Loaded query={filings} label="Loading due dates" lines={6}>
      {({ data, has_more }) => (
        <WithObligations query={matrix}>
          <Groups groups={dueGroups(data, matrix.data, today)} isComplete={matrix.data !== undefined} />
          {has_more && <p className="text-sm text-muted">Showing the {MOST_LISTED} filings that are due first.</p>}
        </WithObligations>
      )}
    </Loaded>
  );
}

interface WithObligationsProps {
  query: UseQueryResult<Matrix, unknown>;
  children: ReactNode;
}

/** An obligation without a filing is due too. If they can't be read, the filings can still be submitted. */
function WithObligations({ query, children }: WithObligationsProps): ReactNode {
  if (isFirstTry(query)) return <Loading label="Loading obligations" lines={6} />;
  const error = query.error ?? query.failureReason;
  return (
    <>
      {query.data === undefined && (
        <section aria-label="Obligations" className="flex flex-col gap-2">
          <p className="text-sm">The obligations couldn’t be loaded. The list shows filings only.</p>
          {error === null ? (
            <Loading label="Loading obligations" lines={2} />
          ) : (
            <ErrorState error={error} onRetry={() => void query.refetch()} />
          )}
        </section>
      )}
      {children}
    </>
  );
}

function Groups({ groups, isComplete }: { groups: readonly DueGroup[]; isComplete: boolean }): ReactNode {
  if (groups.length === 0) {
    if (!isComplete) return <EmptyState title="No open filings" />;
    return (
      <EmptyState title="Nothing is due">
        Update obligations to create the filings of the next 12 months, or create a filing manually.
      </EmptyState>
    );
  }
  return groups.map(({ title, due }) => (
    <Panel key={title} title={title} flush>
      <ul className="divide-y">
        {due.map((one) => (
          <DueRow key={one.key} due={one} />
        ))}
      </ul>
    </Panel>
  ));
}

function DueRow({ due: { title, day, days, jurisdiction, filing } }: { due: Due }): React.JSX.Element {
  const colour = days < 0 ? 'text-bad font-medium' : 'text-muted';
  return (
    <li className="relative flex flex-wrap items-center justify-end gap-x-4 gap-y-1 px-5 py-3 has-[.row-link]:hover:bg-sunken/50 has-[:focus-visible]:bg-sunken/50">
      <div className="min-w-0 grow basis-60">
        {filing === undefined ? (
          <span className="wrap-anywhere">{visibleText(title)}</span>
        ) : (
          <OpenLink
            id={filing.id}
            as="filing"
            className={`${rowLink} wrap-anywhere after:absolute after:inset-0 hover:underline`}
          >
            {visibleText(title)}
          </OpenLink>
        )}
        <p className="text-xs text-muted">
          <span className={colour}>{dueText(days)}</span> · <Day day={day} />
          {jurisdiction !== null && ` · ${jurisdiction}`}
        </p>
      </div>
      {filing?.fee_cents != null && filing.currency !== null && (
        <span className="text-sm">
          Fee <Money cents={filing.fee_cents} currency={filing.currency} />
        </span>
      )}
      {filing === undefined ? (
        <span className="text-xs text-muted">No filing yet</span>
      ) : (
        <span className="relative z-1">
          <OperationButton
            size="small"
            operation="filings.submit"
            needsCompany
            label="Mark submitted"
            aria-label={`Mark submitted: ${visibleText(title)}`}
          >
            {(close) => <SubmitDialog filing={filing} onClose={close} />}
          </OperationButton>
        </span>
      )}
    </li>
  );
}
