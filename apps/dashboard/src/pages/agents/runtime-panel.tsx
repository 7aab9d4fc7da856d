import { useQuery } from '@tanstack/react-query';
import { Badge, StatusBadge } from '../../components/badge.tsx';
import { JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Ago, Instant, useNow } from '../../components/time.tsx';
import { problemOf } from '../../lib/problem.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { objectField } from '../../operation/object-field.tsx';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { type Agent, companiesOf, formatMicros, runtimeHealth } from './agent.view.ts';

type Snapshot = Outputs['runtimeSnapshots']['get'];

export function RuntimePanel({ agent }: { agent: Agent }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.runtimeSnapshots.get.queryOptions({ agent_id: agent.id }));
  const isNone = problemOf(query.error)?.status === 404;
  return (
    <Panel
      title="Runtime"
      actions={
        <OperationButton size="small" operation="runtimeSnapshots.put" label="Store checkpoint">
          {(close) => <StoreCheckpointDialog agent={agent} snapshot={query.data} onClose={close} />}
        </OperationButton>
      }
    >
      {query.isLoading && <Loading label="Loading the runtime" />}
      {query.error && !isNone && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {isNone && (
        <EmptyState title="No checkpoint yet">
          Agents store their checkpoint with <code>PUT /api/v1/agents/{agent.id}/runtime-snapshot</code>.
        </EmptyState>
      )}
      {query.data && !isNone && <SnapshotFacts snapshot={query.data} />}
    </Panel>
  );
}

function SnapshotFacts({ snapshot }: { snapshot: Snapshot }): React.JSX.Element {
  const { nameOf } = useCompanies([snapshot.company_id]);
  const health = runtimeHealth(snapshot, useNow());
  const { metrics } = snapshot;
  const cost = metrics?.cost_micros_24h ?? null;
  return (
    <div className="flex flex-col gap-4">
      <DescriptionList
        entries={[
          ['State', <StatusBadge key="state" status={snapshot.state} />],
          [
            'Heartbeat',
            <span key="heartbeat" className="inline-flex flex-wrap items-center gap-2">
              <Ago at={snapshot.heartbeat_at} />
              <Badge tone={health.tone}>{health.text}</Badge>
            </span>,
          ],
          ['Runtime', snapshot.runtime],
          ['Version', snapshot.version],
          ['Company', snapshot.company_id === null ? 'All companies' : nameOf(snapshot.company_id)],
          ['Updated', <Instant key="updated" at={snapshot.updated_at} seconds />],
          ['Actions in 24 h', metrics?.actions_24h],
          ['Failures in 24 h', metrics?.failures_24h],
          ['Queue depth', metrics?.queue_depth],
          ['Cost in 24 h', cost === null ? null : formatMicros(cost)],
        ]}
      />
      <JsonBlock label="Checkpoint" value={snapshot.checkpoint} />
    </div>
  );
}

const metricLabels = [
  ['actions_24h', 'Actions in 24 h'],
  ['failures_24h', 'Failures in 24 h'],
  ['queue_depth', 'Queue depth'],
  ['cost_micros_24h', 'Cost in 24 h (millionths)'],
] as const;

interface StoreCheckpointDialogProps {
  agent: Agent;
  snapshot: Snapshot | undefined;
  onClose: () => void;
}

function StoreCheckpointDialog({ agent, snapshot, onClose }: StoreCheckpointDialogProps): React.JSX.Element {
  const { nameOf } = useCompanies();
  const metrics = objectField(
    'metrics',
    metricLabels.map(([name, label]) => {
      return [name, label, { type: 'number', min: 0, step: 1, defaultValue: snapshot?.metrics?.[name] ?? '' }];
    }),
  );
  return (
    <OperationDialog
      operation="runtimeSnapshots.put"
      title="Store checkpoint"
      description="Replaces the current checkpoint and counts as a heartbeat."
      submit="Store checkpoint"
      done={({ version }) => `Checkpoint stored as version ${version}.`}
      fixed={{ agent_id: agent.id }}
      record={snapshot}
      sendsAll
      fields={{
        runtime: { placeholder: 'example-runtime/2.1', required: true },
        state: { initial: 'idle' },
        company_id: {
          label: 'Company',
          none: 'All companies',
          choices: companiesOf(agent).map((id) => [id, nameOf(id)] as const),
        },
        checkpoint: { rows: 6, hint: 'The state that the runtime needs to resume, as JSON, up to 64 KiB.' },
        metrics: {
          slot: (...given) => <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">{metrics.slot(...given)}</div>,
          read: metrics.read,
        },
      }}
      onClose={onClose}
    />
  );
}
