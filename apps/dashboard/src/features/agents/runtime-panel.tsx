import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError, problemOf } from '../../data/problem.ts';
import { type Outputs, useTRPC } from '../../data/trpc.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { usePermission } from '../../session/use-session.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Options, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { Panel } from '../../ui/page.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { Ago, Instant, useNow } from '../../ui/time.tsx';
import { type Agent, companiesOf, formatMicros, runtimeHealth } from './agent.view.ts';

type Snapshot = Outputs['runtimeSnapshots']['get'];
const states = ['idle', 'running', 'waiting_approval', 'error', 'stopped'] as const;

/** Where the agent's runtime stands, as it told last. */
export function RuntimePanel({ agent }: { agent: Agent }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const [storing, setStoring] = useState(false);
  const query = useQuery(trpc.runtimeSnapshots.get.queryOptions({ agent_id: agent.id }));
  const isNone = problemOf(query.error)?.status === 404;
  return (
    <Panel
      title="Runtime"
      actions={
        may('runtimeSnapshots.put') && (
          <Button size="small" onClick={() => setStoring(true)}>
            Store checkpoint
          </Button>
        )
      }
    >
      {query.isLoading && <Loading label="Loading the runtime" />}
      {query.error && !isNone && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {isNone && (
        <EmptyState title="The runtime has not told of itself yet">
          Its checkpoint is stored with <code>PUT /api/v1/agents/{agent.id}/runtime-snapshot</code>.
        </EmptyState>
      )}
      {query.data && !isNone && <SnapshotFacts snapshot={query.data} />}
      {storing && <StoreCheckpointDialog agent={agent} snapshot={query.data} onClose={() => setStoring(false)} />}
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
          ['Company', snapshot.company_id === null ? 'All of them' : nameOf(snapshot.company_id)],
          ['Stored', <Instant key="stored" at={snapshot.updated_at} seconds />],
          ['Actions in 24 h', metrics?.actions_24h],
          ['Failures in 24 h', metrics?.failures_24h],
          ['Queue', metrics?.queue_depth],
          ['Cost in 24 h', cost === null ? null : `${formatMicros(cost)} of its currency`],
        ]}
      />
      <JsonBlock label="Checkpoint" value={snapshot.checkpoint} />
    </div>
  );
}

interface StoreCheckpointDialogProps {
  agent: Agent;
  snapshot: Snapshot | undefined;
  onClose: () => void;
}

function countOf(data: FormData, name: string): number | undefined {
  const text = formText(data, name);
  return text === undefined ? undefined : Number(text);
}

/** Puts a checkpoint in place of the one before, as the runtime does itself. */
function StoreCheckpointDialog({ agent, snapshot, onClose }: StoreCheckpointDialogProps): React.JSX.Element {
  const { nameOf } = useCompanies();
  const [fault, setFault] = useState<string>();
  const put = useOperation('runtimeSnapshots.put', {
    done: ({ version }) => `Version ${version} is stored.`,
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    const checkpoint = parseJson(formText(data, 'checkpoint'));
    setFault('fault' in checkpoint ? checkpoint.fault : undefined);
    if ('fault' in checkpoint) return;
    put.mutate({
      agent_id: agent.id,
      company_id: formText(data, 'company_id'),
      runtime: formText(data, 'runtime') ?? '',
      state: states.find((state) => state === formText(data, 'state')) ?? 'idle',
      checkpoint: checkpoint.value,
      metrics: {
        actions_24h: countOf(data, 'actions_24h'),
        failures_24h: countOf(data, 'failures_24h'),
        queue_depth: countOf(data, 'queue_depth'),
        cost_micros_24h: countOf(data, 'cost_micros_24h'),
      },
    });
  }
  const { error } = put;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Store checkpoint"
      description="It takes the place of the one before, and counts as a heartbeat."
    >
      <Form submit="Store checkpoint" busy={put.isPending} error={error} onSubmit={submit} onCancel={onClose}>
        <TextField
          label="Runtime"
          name="runtime"
          required
          defaultValue={snapshot?.runtime}
          placeholder="example-runtime/2.1"
          error={fieldError(error, 'runtime')}
        />
        <SelectField label="State" name="state" defaultValue={snapshot?.state ?? 'idle'}>
          <Options values={states} />
        </SelectField>
        <SelectField
          label="Company"
          name="company_id"
          defaultValue={snapshot?.company_id ?? ''}
          error={fieldError(error, 'company_id')}
        >
          <option value="">All that it works for</option>
          {companiesOf(agent).map((id) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </SelectField>
        <TextArea
          label="Checkpoint"
          name="checkpoint"
          rows={6}
          className="[&_textarea]:font-mono"
          defaultValue={snapshot?.checkpoint == null ? '' : JSON.stringify(snapshot.checkpoint, null, 2)}
          hint="JSON of at most 64 KiB: what the runtime needs to go on."
          error={fault ?? fieldError(error, 'checkpoint')}
        />
        <MetricsInputs snapshot={snapshot} error={error} />
      </Form>
    </Dialog>
  );
}

function MetricsInputs({ snapshot, error }: { snapshot: Snapshot | undefined; error: unknown }): React.JSX.Element {
  const fields = [
    ['actions_24h', 'Actions in 24 h'],
    ['failures_24h', 'Failures in 24 h'],
    ['queue_depth', 'Queue'],
    ['cost_micros_24h', 'Cost in 24 h, in millionths'],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {fields.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          name={name}
          type="number"
          min={0}
          step={1}
          defaultValue={snapshot?.metrics?.[name] ?? ''}
          error={fieldError(error, `metrics/${name}`)}
        />
      ))}
    </div>
  );
}
