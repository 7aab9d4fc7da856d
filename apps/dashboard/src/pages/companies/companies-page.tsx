import { Link } from '@tanstack/react-router';
import { StatusBadge, valueText } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago } from '../../components/time.tsx';
import { useReachesAll } from '../../lib/use-session.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import { CreateCompanyDialog } from './company-dialogs.tsx';

const columns: readonly Column<Company>[] = [
  {
    title: 'Company',
    grow: 3,
    cell: ({ id, name }) => (
      <Link
        to="/companies/$companyId"
        params={{ companyId: id }}
        search={{ company: id }}
        className={`${rowLink} hover:underline`}
      >
        {name}
      </Link>
    ),
  },
  { title: 'Status', nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Entity', wide: true, cell: ({ entity_type }) => entity_type && valueText(entity_type) },
  { title: 'Jurisdiction', wide: true, cell: ({ jurisdiction, country }) => jurisdiction ?? country },
  { title: 'Currency', wide: true, cell: ({ base_currency }) => base_currency },
  { title: 'Created', wide: true, nowrap: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function CompaniesPage(): React.JSX.Element {
  const reachesAll = useReachesAll();
  return (
    <Page
      title="Companies"
      actions={
        reachesAll && (
          <OperationButton variant="primary" operation="companies.create" label="Create company">
            {(close) => <CreateCompanyDialog onClose={close} />}
          </OperationButton>
        )
      }
    >
      <ResourceList
        list="companies.list"
        noun="companies"
        fixed={{}}
        filters={{ q: { label: 'Search' }, status: {} }}
        columns={columns}
        empty={{ title: 'No companies yet', text: 'Create a company to post balances, transactions and statements.' }}
      />
    </Page>
  );
}
