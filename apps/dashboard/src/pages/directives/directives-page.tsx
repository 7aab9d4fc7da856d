import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Ago, Instant } from '../../components/time.tsx';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenLink, ResourceList } from '../../operation/resource-list.tsx';
import { DirectiveDialog } from './directive-dialog.tsx';
import { type Directive, IssueDialog } from './directive-dialogs.tsx';

const columns: readonly Column<Directive>[] = [
  {
    title: 'Directive',
    grow: 3,
    cell: ({ id, title }) => <OpenLink id={id}>{title}</OpenLink>,
  },
  { title: 'Status', nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Priority', wide: true, cell: ({ priority }) => sentenceCase(priority) },
  { title: 'Due', wide: true, nowrap: true, cell: ({ due_at }) => due_at && <Instant at={due_at} /> },
  { title: 'Issued', wide: true, nowrap: true, cell: ({ issued_at }) => <Ago at={issued_at} /> },
];

export function DirectivesPage(): React.JSX.Element {
  const company = useCompany();
  return (
    <Page
      title="Directives"
      intro="Instructions for people and agents, in force until suspended or resolved."
      actions={
        <OperationButton variant="primary" operation="directives.create" label="Issue directive" needsCompany>
          {(close) => <IssueDialog onClose={close} />}
        </OperationButton>
      }
    >
      <ResourceList
        list="directives.list"
        noun="directives"
        fixed={{ company_id: company.id }}
        filters={{ status: {}, priority: {} }}
        columns={columns}
        empty={{ title: 'No directives yet', text: 'Issue a directive to instruct people and agents.' }}
        detail={(id, close) => <DirectiveDialog id={id} onClose={close} />}
      />
    </Page>
  );
}
