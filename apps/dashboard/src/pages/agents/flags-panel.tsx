import { StatusBadge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenButton, ResourceList } from '../../operation/resource-list.tsx';
import type { Agent, Flag } from './agent.view.ts';
import { FlagDialog, RaiseFlagDialog } from './flag-dialogs.tsx';

export function FlagsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const { nameOf } = useCompanies();
  const columns: readonly Column<Flag>[] = [
    { title: 'Flag', grow: 2.2, cell: ({ id, title }) => <OpenButton id={id}>{title}</OpenButton> },
    { title: 'Severity', grow: 1.5, cell: (flag) => <StatusBadge status={flag.severity} /> },
    { title: 'Status', grow: 1.7, whole: true, cell: (flag) => <StatusBadge status={flag.status} /> },
    { title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    { title: 'Raised by', wide: true, cell: ({ raised_by }) => actorName(raised_by) },
    { title: 'Raised', grow: 2.2, wide: true, whole: true, cell: ({ created_at }) => <Instant at={created_at} /> },
  ];
  return (
    <ResourceList
      list="agentFlags.list"
      title="Flags"
      noun="flags"
      fixed={{ agent_id: agent.id }}
      filters={{ status: {}, severity: {} }}
      columns={columns}
      actions={
        <OperationButton size="small" operation="agentFlags.create" label="Raise flag">
          {(close) => <RaiseFlagDialog agent={agent} onClose={close} />}
        </OperationButton>
      }
      empty={{ title: 'No flags', text: 'Raise a flag when an agent does something wrong.' }}
      detail={(id, close) => <FlagDialog id={id} onClose={close} />}
    />
  );
}
