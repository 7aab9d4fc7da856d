import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badge.tsx';
import { type Column, rowLink } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Ago } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import { CreateCaseDialog } from './case-dialogs.tsx';
import type { Case } from './case-moves.ts';

const columns: readonly Column<Case>[] = [
  {
    id: 'title',
    title: 'Case',
    grow: 3,
    cell: ({ id, title }) => (
      <Link to="/cases/$caseId" params={{ caseId: id }} className={`${rowLink} hover:underline`}>
        {title}
      </Link>
    ),
  },
  { id: 'status', title: 'Status', whole: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'priority', title: 'Priority', wide: true, cell: ({ priority }) => priority },
  {
    id: 'assignee',
    title: 'Assigned to',
    wide: true,
    grow: 1.5,
    cell: ({ assignee }) => (assignee ? actorName(assignee) : <span className="text-muted">Nobody</span>),
  },
  { id: 'comments', title: 'Comments', wide: true, align: 'end', cell: ({ comment_count }) => comment_count },
  { id: 'created', title: 'Opened', wide: true, whole: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function CasesPage(): React.JSX.Element {
  return (
    <NeedsCompany>
      <Cases />
    </NeedsCompany>
  );
}

function Cases(): React.JSX.Element {
  const company = useCompany();
  return (
    <Page
      title="Cases"
      actions={
        <OperationButton variant="primary" operation="cases.create" label="Open case" here>
          {(close) => <CreateCaseDialog onClose={close} />}
        </OperationButton>
      }
    >
      <ResourceList
        list="cases.list"
        title="All cases"
        noun="cases"
        fixed={{ company_id: company.id }}
        filters={{ q: { label: 'Title contains' }, status: {}, priority: {} }}
        columns={() => columns}
        empty={{ title: 'No cases yet', text: 'Open one for a notice, a dispute or a question.' }}
      />
    </Page>
  );
}
