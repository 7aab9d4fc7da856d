import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { type Column, rowLink } from '../../components/data-table.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Day } from '../../components/time.tsx';
import { asFilter, opening, ResourceList } from '../../operation/resource-list.tsx';
import type { Filing } from './calendar.view.ts';

const columns: readonly Column<Filing>[] = [
  {
    title: 'Filing',
    grow: 3,
    cell: ({ id, title }) => (
      <Link
        to="."
        search={(search) => ({ ...search, filing: id })}
        {...opening}
        className={`${rowLink} hover:underline`}
      >
        {title}
      </Link>
    ),
  },
  { title: 'Due', whole: true, cell: ({ due_date }) => <Day day={due_date} /> },
  {
    title: 'Status',
    whole: true,
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
        text: 'Resync obligations to create the filings of the next 12 months, or create a filing manually.',
      }}
    />
  );
}
