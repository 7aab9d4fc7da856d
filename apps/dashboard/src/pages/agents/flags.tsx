import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { usePermission } from '../../lib/use-session.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';
import { OpenButton, ResourceList } from '../../operation/resource-list.tsx';
import type { Agent, Flag } from './agent.view.ts';
import { useCompanyOfAgent } from './use-company-of-agent.ts';

export function FlagsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const { nameOf } = useCompanies();
  const columns: readonly Column<Flag>[] = [
    { title: 'Flag', grow: 2.2, cell: ({ id, title }) => <OpenButton id={id}>{title}</OpenButton> },
    { title: 'Severity', grow: 1.5, cell: (flag) => <StatusBadge status={flag.severity} /> },
    { title: 'Status', grow: 1.7, nowrap: true, cell: (flag) => <StatusBadge status={flag.status} /> },
    { title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    { title: 'Raised by', wide: true, cell: ({ raised_by }) => actorName(raised_by) },
    { title: 'Raised', grow: 2.2, wide: true, nowrap: true, cell: ({ created_at }) => <Instant at={created_at} /> },
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

function RaiseFlagDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="agentFlags.create"
      title="Raise flag"
      description={`Report a problem with ${agent.name}.`}
      submit="Raise flag"
      done="Flag raised."
      fixed={{ agent_id: agent.id }}
      fields={{
        company_id: useCompanyOfAgent(agent, true),
        title: {},
        severity: { initial: 'warning' },
        body: { label: 'What happened' },
        action_id: { placeholder: 'act_…', hint: 'ID of the flagged action.' },
      }}
      onClose={onClose}
    />
  );
}

function FlagDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const query = useQuery(trpc.agentFlags.get.queryOptions({ flag_id: id }));
  return (
    <RecordDialog query={query} noun="flag" title={({ title }) => title} onClose={onClose}>
      {(flag) => (
        <>
          {flag.body !== null && <p className="text-sm whitespace-pre-wrap wrap-anywhere">{flag.body}</p>}
          <FlagFacts flag={flag} />
          <KeepEdits of={flag.id} value={flag}>
            {(shown, release) =>
              shown.status === 'open' && may('agentFlags.resolve') && <ResolveForm flag={shown} onDone={release} />
            }
          </KeepEdits>
        </>
      )}
    </RecordDialog>
  );
}

function FlagFacts({ flag }: { flag: Flag }): React.JSX.Element {
  const { nameOf } = useCompanies([flag.company_id]);
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={flag.status} />],
        ['Severity', <StatusBadge key="severity" status={flag.severity} />],
        ['Company', nameOf(flag.company_id)],
        ['Action', flag.action_id && <code>{flag.action_id}</code>],
        ['Raised by', actorName(flag.raised_by)],
        ['Raised', <Instant key="raised" at={flag.created_at} />],
        ['Resolved by', flag.resolved_by && actorName(flag.resolved_by)],
        ['Resolved', flag.resolved_at && <Instant at={flag.resolved_at} />],
        ['Resolution note', flag.resolution_note],
        ['ID', <code key="id">{flag.id}</code>],
      ]}
    />
  );
}

function ResolveForm({ flag, onDone }: { flag: Flag; onDone: () => void }): React.JSX.Element {
  return (
    <section aria-label="Resolve flag" className="rounded-lg border p-4">
      <OperationForm
        operation="agentFlags.resolve"
        submit="Resolve flag"
        done="Flag resolved."
        onDone={onDone}
        fixed={{ flag_id: flag.id }}
        fields={{ note: { label: 'Resolution note' } }}
      />
    </section>
  );
}
