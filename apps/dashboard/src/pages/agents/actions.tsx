import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { formatDuration } from '../../lib/format-time.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { usePermission } from '../../lib/use-session.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';
import { optionOf } from '../../operation/options.ts';
import { OpenButton, ResourceList } from '../../operation/resource-list.tsx';
import { type Action, type Agent, formatMicros, outcomesOf } from './agent.view.ts';
import { outcomeFields } from './outcome-fields.ts';
import { useCompanyOfAgent } from './use-company-of-agent.ts';

export function ActionsPanel({ agent }: { agent: Agent }): React.JSX.Element {
  const { nameOf } = useCompanies();
  const columns: readonly Column<Action>[] = [
    { title: 'Action', grow: 3, cell: ({ id, title }) => <OpenButton id={id}>{title}</OpenButton> },
    { title: 'Status', grow: 1.6, nowrap: true, cell: (action) => <StatusBadge status={action.status} /> },
    { title: 'Type', grow: 2, wide: true, cell: (action) => <code className="text-xs">{action.type}</code> },
    { title: 'Company', grow: 2, wide: true, cell: ({ company_id }) => nameOf(company_id) },
    { title: 'Risk', wide: true, cell: ({ risk }) => (risk ? sentenceCase(risk) : '–') },
    { title: 'Started', grow: 2.4, wide: true, nowrap: true, cell: ({ started_at }) => <Instant at={started_at} /> },
    {
      title: 'Duration',
      align: 'end',
      wide: true,
      cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
    },
  ];
  return (
    <ResourceList
      list="agentActions.list"
      title="Actions"
      noun="actions"
      fixed={{ agent_id: agent.id }}
      filters={{ status: {}, type: { placeholder: 'email.send' } }}
      columns={columns}
      actions={
        <OperationButton size="small" operation="agentActions.create" label="Log action">
          {(close) => <LogActionDialog agent={agent} onClose={close} />}
        </OperationButton>
      }
      empty={{ title: 'No actions yet', text: 'Agents log their actions with their own API key.' }}
      detail={(id, close) => <ActionDialog id={id} onClose={close} />}
    />
  );
}

function ActionDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const query = useQuery(trpc.agentActions.get.queryOptions({ action_id: id }));
  return (
    <RecordDialog query={query} noun="action" title={({ title }) => title} onClose={onClose}>
      {(action) => (
        <>
          <ActionFacts action={action} />
          {may('agentActions.update') && (
            <KeepEdits of={action.id} value={action}>
              {(shown, release) => <OutcomeForm key={shown.status} action={shown} onDone={release} />}
            </KeepEdits>
          )}
          {action.input != null && <JsonBlock label="Input" value={action.input} />}
          {action.output != null && <JsonBlock label="Output" value={action.output} />}
        </>
      )}
    </RecordDialog>
  );
}

function ActionFacts({ action }: { action: Action }): React.JSX.Element {
  const { nameOf } = useCompanies([action.company_id]);
  const { blocked, cost } = action;
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={action.status} />],
        ['Error', action.error && `${action.error.code}: ${action.error.message}`],
        ['Blocked by', blocked?.reason],
        ['Policy', blocked?.policy],
        ['Approval', blocked?.approval_id],
        ['Type', <code key="type">{action.type}</code>],
        ['Company', nameOf(action.company_id)],
        [
          'Case',
          action.case_id && (
            <RecordLink record={{ id: action.case_id, companyId: action.company_id }} text="View case" />
          ),
        ],
        ['Risk', action.risk && sentenceCase(action.risk)],
        ['Started', <Instant key="started" at={action.started_at} seconds />],
        ['Finished', action.finished_at && <Instant at={action.finished_at} seconds />],
        ['Duration', action.duration_ms === null ? null : formatDuration(action.duration_ms)],
        ['Run', action.run_id],
        ['External ID', action.external_id],
        ['Input tokens', cost?.input_tokens],
        ['Output tokens', cost?.output_tokens],
        ['Cost', cost?.cost_micros == null ? null : `${formatMicros(cost.cost_micros)} ${cost.currency ?? ''}`],
        ['ID', <code key="id">{action.id}</code>],
      ]}
    />
  );
}

const verbs = { completed: 'Mark as completed', failed: 'Mark as failed', blocked: 'Mark as blocked' } as const;

function OutcomeForm({ action, onDone }: { action: Action; onDone: () => void }): React.JSX.Element | null {
  const [status, setStatus] = useState<keyof typeof verbs>('completed');
  const outcomes = outcomesOf(action.status);
  if (outcomes.length === 0) return null;
  return (
    <section aria-label="Complete action" className="rounded-lg border p-4">
      <OperationForm
        operation="agentActions.update"
        submit={verbs[status]}
        done={(stored) => `Action marked as ${stored.status}.`}
        onDone={onDone}
        fixed={{ action_id: action.id, status }}
        fields={{
          status: {
            slot: () => (
              <SelectField
                label="Outcome"
                value={status}
                onChange={(event) => setStatus(outcomes.find((name) => name === event.target.value) ?? 'completed')}
              >
                <Options values={outcomes} />
              </SelectField>
            ),
          },
          ...outcomeFields(status),
        }}
      />
    </section>
  );
}

const statuses: ReadonlyArray<readonly [Action['status'], string]> = [
  ['logged', 'In progress'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['blocked', 'Blocked'],
];

function LogActionDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const [status, setStatus] = useState<Action['status']>('logged');
  return (
    <OperationDialog
      operation="agentActions.create"
      title="Log action"
      description={`Records an action that ${agent.name} took.`}
      submit="Log action"
      done={({ result }) => (result === 'created' ? 'Action logged.' : 'Already logged. Nothing changed.')}
      fixed={{ agent_id: agent.id, status }}
      fields={{
        company_id: useCompanyOfAgent(agent),
        type: { placeholder: 'email.send' },
        title: { hint: 'Defaults to the type.' },
        status: {
          slot: () => (
            <SelectField
              label="Status"
              value={status}
              onChange={({ target }) => setStatus(optionOf('agentActions.create', 'status', target.value) ?? 'logged')}
            >
              <Options values={statuses} />
            </SelectField>
          ),
        },
        ...outcomeFields(status),
        risk: { none: 'Not rated' },
        input: { hint: 'JSON, up to 16 KiB. Values that look like secrets are redacted.' },
        run_id: {},
        external_id: { label: 'External ID', hint: 'Your own ID for the action. Each ID is logged only once.' },
      }}
      onClose={onClose}
    />
  );
}
