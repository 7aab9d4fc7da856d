import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { useCompanies } from '../../lib/use-companies.ts';
import { usePermission } from '../../lib/use-session.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { type Agent, type Binding, liveBindings } from './agent.view.ts';
import { AttachAgentDialog } from './attach-agent-dialog.tsx';
import { type AgentMove, MoveAgentDialog } from './move-agent-dialog.tsx';

export function BindingsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const may = usePermission();
  const { nameOf } = useCompanies();
  const [move, setMove] = useState<AgentMove>();
  const live = liveBindings(agent);
  const ended = agent.bindings.filter(({ status }) => status === 'unlinked');
  const place = ({ company_id, case_id }: Binding): string =>
    case_id === null ? nameOf(company_id) : `a case of ${nameOf(company_id)}`;
  const columns: Column<Binding>[] = [
    {
      title: 'Company',
      cell: ({ company_id }) => (
        <Link to="/companies/$companyId" params={{ companyId: company_id }} className="text-accent hover:underline">
          {nameOf(company_id)}
        </Link>
      ),
    },
    {
      title: 'Case',
      cell: ({ company_id, case_id }) =>
        case_id === null ? (
          'Whole company'
        ) : (
          <Link
            to="/cases/$caseId"
            params={{ caseId: case_id }}
            search={{ company: company_id }}
            className="text-accent hover:underline"
          >
            View case
          </Link>
        ),
    },
    { title: 'Role', wide: true, cell: ({ role }) => role ?? '–' },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Since', wide: true, cell: ({ linked_at, unlinked_at }) => <Instant at={unlinked_at ?? linked_at} /> },
  ];
  const actions: Column<Binding> = {
    title: 'Actions',
    align: 'end',
    cell: (binding) => <BindingActions binding={binding} place={place(binding)} onMove={setMove} />,
  };
  return (
    <>
      <Panel
        title="Companies"
        flush
        actions={
          <OperationButton size="small" operation="agents.attach" label="Attach to company">
            {(close) => <AttachAgentDialog agent={agent} onClose={close} />}
          </OperationButton>
        }
      >
        <SimpleTable
          label="Companies"
          rows={live}
          columns={may('agents.attach') ? [...columns, actions] : columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title="Not attached to a company">
              Attach the agent to a company to let it act there.
            </EmptyState>
          }
        />
      </Panel>
      {ended.length > 0 && (
        <Panel title="Previous companies" flush>
          <SimpleTable label="Previous companies" rows={ended} columns={columns} keyOf={({ id }) => id} empty={null} />
        </Panel>
      )}
      {move && (
        <MoveAgentDialog
          agent={agent}
          move={move}
          {...(move.binding ? { place: place(move.binding) } : {})}
          onClose={() => setMove(undefined)}
        />
      )}
    </>
  );
}

interface BindingActionsProps {
  binding: Binding;
  place: string;
  onMove: (move: AgentMove) => void;
}

function BindingActions({ binding, place, onMove }: BindingActionsProps): React.JSX.Element {
  const isPaused = binding.status === 'paused';
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button
        size="small"
        aria-label={`${isPaused ? 'Resume' : 'Pause'} at ${place}`}
        onClick={() => onMove({ kind: isPaused ? 'resume' : 'pause', binding })}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button
        size="small"
        variant="danger"
        aria-label={`Detach from ${place}`}
        onClick={() => onMove({ kind: 'detach', binding })}
      >
        Detach
      </Button>
    </div>
  );
}
