import { useQuery } from '@tanstack/react-query';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import type { Column } from '../../components/table-head.tsx';
import { Day, Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { asFilter, OpenLink, ResourceList } from '../../operation/resource-list.tsx';
import type { Filing } from './calendar.view.ts';
import { ReopenForm, SubmitForm } from './submit-filing.tsx';

const columns: readonly Column<Filing>[] = [
  {
    title: 'Filing',
    grow: 3,
    cell: ({ id, title }) => (
      <OpenLink id={id} as="filing">
        {title}
      </OpenLink>
    ),
  },
  { title: 'Due', nowrap: true, cell: ({ due_date }) => <Day day={due_date} /> },
  {
    title: 'Status',
    nowrap: true,
    cell: ({ status, overdue }) => <StatusBadge status={overdue ? 'overdue' : status} />,
  },
  { title: 'Type', wide: true, cell: ({ type }) => sentenceCase(type) },
  { title: 'Jurisdiction', wide: true, cell: ({ jurisdiction }) => jurisdiction },
];

export function Filings(): React.JSX.Element {
  const company = useCompany();
  return (
    <ResourceList
      list="filings.list"
      title="Filings"
      noun="filings"
      fixed={{ company_id: company.id }}
      filters={{ status: { choices: ['open', 'overdue', 'submitted'] }, type: {} }}
      toQuery={({ status, type }) => ({
        ...(status === 'overdue' ? { overdue: true } : { status: asFilter<Filing['status']>(status) }),
        type: asFilter<Filing['type']>(type),
      })}
      columns={columns}
      exports
      empty={{
        title: 'No filings yet',
        text: 'Update obligations to create the filings of the next 12 months, or create a filing manually.',
      }}
    />
  );
}

export function FilingDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const filing = useQuery(trpc.filings.get.queryOptions({ filing_id: id }));
  return (
    <RecordDialog query={filing} noun="filing" title={({ title }) => title} onClose={onClose}>
      {(data) => (
        <>
          <FilingFacts filing={data} />
          <KeepEdits of={data.id} value={data}>
            {(shown, release) =>
              shown.status === 'open' && may('filings.submit') && <SubmitForm filing={shown} onDone={release} />
            }
          </KeepEdits>
          {data.status === 'submitted' && may('filings.reopen') && <ReopenForm filing={data} />}
        </>
      )}
    </RecordDialog>
  );
}

function FilingFacts({ filing }: { filing: Filing }): React.JSX.Element {
  const { period_start: from, period_end: to, fee_cents: fee, currency } = filing;
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={filing.overdue ? 'overdue' : filing.status} />],
        ['Due', <Day key="due" day={filing.due_date} />],
        ['Type', sentenceCase(filing.type)],
        ['Jurisdiction', filing.jurisdiction],
        [
          'Period',
          from !== null && to !== null ? (
            <>
              <Day day={from} /> to <Day day={to} />
            </>
          ) : null,
        ],
        ['Fee', fee !== null && currency !== null ? <Money cents={fee} currency={currency} /> : null],
        ['Submitted', filing.submitted_at && <Instant at={filing.submitted_at} />],
        ['Submitted by', filing.submitted_by && actorName(filing.submitted_by)],
        ['Confirmation number', filing.confirmation_number],
        ['Notes', filing.notes],
        ['Source', filing.obligation_key === null ? 'Manual' : 'Obligation'],
        ['ID', <code key="id">{filing.id}</code>],
      ]}
    />
  );
}
