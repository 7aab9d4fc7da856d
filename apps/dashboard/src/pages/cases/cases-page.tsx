import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import { type Case, CreateCaseDialog } from './case-dialogs.tsx';

const columns: readonly Column<Case>[] = [
  {
    title: 'Case',
    grow: 3,
    cell: ({ id, title }) => (
      <Link to="/cases/$caseId" params={{ caseId: id }} className={`${rowLink} hover:underline`}>
        {title}
      </Link>
    ),
  },
  { title: 'Status', nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Priority', wide: true, cell: ({ priority }) => sentenceCase(priority) },
  {
    title: 'Assignee',
    wide: true,
    grow: 1.5,
    cell: ({ assignee }) => (assignee ? actorName(assignee) : <span className="text-muted">Unassigned</span>),
  },
  { title: 'Comments', wide: true, align: 'end', cell: ({ comment_count }) => comment_count },
  { title: 'Opened', wide: true, nowrap: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function CasesPage(): React.JSX.Element {
  const company = useCompany();
  return (
    <Page
      title="Cases"
      actions={
        <OperationButton variant="primary" operation="cases.create" label="Create case" needsCompany>
          {(close) => <CreateCaseDialog onClose={close} />}
        </OperationButton>
      }
    >
      <ResourceList
        list="cases.list"
        noun="cases"
        fixed={{ company_id: company.id }}
        filters={{ q: { label: 'Search' }, status: {}, priority: {} }}
        columns={columns}
        empty={{ title: 'No cases yet', text: 'Create a case for a notice, dispute or question.' }}
      />
    </Page>
  );
}
