import { useQuery } from '@tanstack/react-query';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { ExternalLink } from '../../components/links.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Day, Instant } from '../../components/time.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import type { Matrix } from './calendar.view.ts';

type Item = Matrix['items'][number];

const basis: Record<Item['source']['basis'], string> = {
  official_page: 'official page',
  statute: 'statute',
  general_knowledge: 'general knowledge, verify before relying on this',
};

const columns: readonly Column<Item>[] = [
  {
    title: 'Obligation',
    cell: ({ title, note }) => (
      <>
        <p className="font-medium">{title}</p>
        {note !== null && <p className="text-xs text-muted">{note}</p>}
      </>
    ),
  },
  { title: 'Jurisdiction', wide: true, cell: ({ jurisdiction }) => jurisdiction },
  { title: 'Frequency', wide: true, cell: ({ frequency }) => sentenceCase(frequency) },
  { title: 'Next due', nowrap: true, cell: ({ next_due_date: day }) => day && <Day day={day} /> },
  { title: 'Status', nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Source',
    wide: true,
    cell: ({ source }) => (
      <p className="text-xs">
        <ExternalLink href={source.url}>Source</ExternalLink>
        <span className="text-muted">
          , {basis[source.basis]}, checked <Day day={source.looked_up_on} />
        </span>
      </p>
    ),
  },
];

export function Obligations(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const matrix = useQuery(trpc.compliance.get.queryOptions({ company_id: company.id }));
  return (
    <Loaded query={matrix} label="Loading obligations" lines={6}>
      {(data) => <ObligationTable matrix={data} />}
    </Loaded>
  );
}

function ObligationTable({ matrix }: { matrix: Matrix }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-2">
      {matrix.resynced_at !== null && (
        <p className="text-sm text-muted">
          Last updated <Instant at={matrix.resynced_at} /> for {matrix.jurisdictions.join(', ')}.
        </p>
      )}
      <SimpleTable
        label="Obligations"
        rows={matrix.items}
        columns={columns}
        keyOf={({ key }) => key}
        empty={
          <EmptyState title="No obligations yet">
            Set the company’s entity type and jurisdiction, then update its obligations of the next 12 months.
          </EmptyState>
        }
      />
    </div>
  );
}
