import { Link } from '@tanstack/react-router';
import { type ReactNode, useContext, useState } from 'react';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { useCompanies } from '../../lib/use-companies.ts';
import { usePermission } from '../../lib/use-session.ts';
import { CaseOptions, CompanyOptions } from '../../operation/field-control.tsx';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { type Agent, type Binding, liveBindings } from './agent.view.ts';
import { MoveAgentDialog } from './agent-dialogs.tsx';

export function BindingsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const may = usePermission();
  const { nameOf } = useCompanies();
  const live = liveBindings(agent);
  const ended = agent.bindings.filter(({ status }) => status === 'unlinked');
  const place = ({ company_id, case_id }: Binding): string =>
    case_id === null ? nameOf(company_id) : `a case of ${nameOf(company_id)}`;
  const columns: Column<Binding>[] = [
    {
      title: 'Company',
      cell: (binding) => (
        <>
          <Link
            to="/companies/$companyId"
            params={{ companyId: binding.company_id }}
            className={`${rowLink} text-accent hover:underline`}
          >
            {nameOf(binding.company_id)}
          </Link>
          {/* A phone has no room for its column. */}
          <p className="text-xs text-muted md:hidden">{caseOf(binding)}</p>
        </>
      ),
    },
    { title: 'Case', wide: true, cell: caseOf },
    { title: 'Role', wide: true, cell: ({ role }) => role ?? '–' },
    { title: 'Status', nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Since', wide: true, cell: ({ linked_at, unlinked_at }) => <Instant at={unlinked_at ?? linked_at} /> },
  ];
  const actions: Column<Binding> = {
    title: 'Actions',
    align: 'end',
    cell: (binding) => <BindingActions agent={agent} binding={binding} place={place(binding)} />,
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
    </>
  );
}

function caseOf({ company_id, case_id }: Binding): ReactNode {
  if (case_id === null) return 'Whole company';
  return <RecordLink record={{ id: case_id, companyId: company_id }} text="View case" />;
}

interface BindingActionsProps {
  agent: Agent;
  binding: Binding;
  place: string;
}

function BindingActions({ agent, binding, place }: BindingActionsProps): React.JSX.Element {
  const kind = binding.status === 'paused' ? 'resume' : 'pause';
  const label = sentenceCase(kind);
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <OperationButton size="small" operation={`agents.${kind}`} label={label} aria-label={`${label} at ${place}`}>
        {(close) => <MoveAgentDialog agent={agent} move={{ kind, binding }} place={place} onClose={close} />}
      </OperationButton>
      <OperationButton
        size="small"
        variant="danger"
        operation="agents.detach"
        label="Detach"
        aria-label={`Detach from ${place}`}
      >
        {(close) => <MoveAgentDialog agent={agent} move={{ kind: 'detach', binding }} place={place} onClose={close} />}
      </OperationButton>
    </div>
  );
}

function AttachAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const chosen = useContext(CompanyContext);
  const { all } = useCompanies();
  const open = all.filter(({ status }) => status !== 'dissolved');
  const [picked, setPicked] = useState<string>();
  const companyId = picked ?? open.find(({ id }) => id === chosen?.id)?.id ?? open[0]?.id ?? '';
  return (
    <OperationDialog
      operation="agents.attach"
      title={`Attach ${agent.name}`}
      description="Agents can act only in the companies they are attached to."
      submit="Attach agent"
      done="Agent attached."
      fixed={{ agent_id: agent.id, company_id: companyId }}
      fields={{
        company_id: {
          slot: (errorOf) => (
            <SelectField
              label="Company"
              value={companyId}
              onChange={(event) => setPicked(event.target.value)}
              error={errorOf('company_id')}
            >
              <CompanyOptions />
            </SelectField>
          ),
        },
        case_id: {
          slot: (errorOf) => (
            <SelectField
              key={companyId}
              label="Case"
              name="case_id"
              hint="Shows the newest 200 open and 200 waiting cases."
              error={errorOf('case_id')}
            >
              <option value="">Whole company</option>
              {companyId !== '' && <CaseOptions companyId={companyId} />}
            </SelectField>
          ),
          read: (data) => ({ value: formText(data, 'case_id') }),
        },
        role: {
          placeholder: 'bookkeeper',
          hint: 'What the agent does in this company. Attaching again updates only the role.',
        },
      }}
      onClose={onClose}
    />
  );
}
