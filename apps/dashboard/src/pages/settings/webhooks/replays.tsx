import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { type Column, rowLink } from '../../../components/data-table.tsx';
import { Options, SelectField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { Instant } from '../../../components/time.tsx';
import type { Outputs } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { localOf } from '../../../lib/zoned-time.ts';
import { OperationButton, OperationDialog } from '../../../operation/operation-dialog.tsx';
import { asInput, useOperationFields } from '../../../operation/operation-form.tsx';
import { ResourceList } from '../../../operation/resource-list.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { useCompanyField } from './endpoint-form.tsx';
import { type EventChoice, eventsField } from './events-picker.tsx';
import {
  countWords,
  describeWait,
  isRecover,
  progressOf,
  progressText,
  type ReplayInput,
  selections,
} from './replays.view.ts';
import type { Endpoint } from './use-endpoints.ts';

const DAY_MS = 86_400_000;
const presets = [
  ['Last hour', DAY_MS / 24],
  ['Last day', DAY_MS],
  ['Last 7 days', 7 * DAY_MS],
  ['Last 30 days', 30 * DAY_MS],
] as const;

function localAgo(ms: number, zone: string): string {
  return localOf(new Date(Date.now() - ms).toISOString(), zone);
}

export function ReplayForm({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const zone = useZone();
  const [since] = useState(() => localAgo(DAY_MS, zone));
  const [only, setOnly] = useState('failed');
  const [events, setEvents] = useState<EventChoice>({ all: true, events: [] });
  const { count, counted, start, reset } = useReplay(endpoint.id);
  const { controls, read, error } = useOperationFields<'webhookEndpoints.replay'>({
    operation: 'webhookEndpoints.replay',
    error: start.error ?? count.error,
    fields: {
      since: { label: 'From', half: true, initial: since, required: true },
      until: { label: 'To', half: true, hint: 'Defaults to now.' },
      only: {
        slot: () => (
          <>
            <Presets onChange={reset} />
            <SelectField
              label="Events to send"
              name="only"
              value={only}
              onChange={({ target }) => setOnly(target.value)}
              hint={selections.find(([name]) => name === only)?.[2]}
            >
              <Options values={selections.map(([name, label]) => [name, label])} />
            </SelectField>
          </>
        ),
        read: () => ({ value: only }),
      },
      types: {
        ...eventsField('types', events, (next) => {
          setEvents(next);
          reset();
        }),
        fold: 'Filters',
      },
      company_id: { ...useCompanyField(null, 'All companies of the endpoint'), fold: 'Filters' },
    },
  });
  const send = (data: FormData): void => {
    const values = read(data);
    if (values)
      count.mutate(asInput<'webhookEndpoints.replay'>({ ...values, endpoint_id: endpoint.id, dry_run: true }));
  };
  return (
    <div
      onChange={({ target }) => {
        // A search for event types does not change the selection.
        if (!(target instanceof HTMLInputElement && target.type === 'search')) reset();
      }}
    >
      <Form submit={counted ? 'Count again' : 'Count events'} busy={count.isPending} error={error} onSubmit={send}>
        {controls}
        {counted && <Estimate counted={counted} busy={start.isPending} onStart={() => start.mutate(counted.input)} />}
      </Form>
    </div>
  );
}

function setText(form: HTMLFormElement | null, name: string, text: string): void {
  const control = form?.elements.namedItem(name);
  if (control instanceof HTMLInputElement) control.value = text;
}

function Presets({ onChange }: { onChange: () => void }): React.JSX.Element {
  const zone = useZone();
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label="Time range">
      {presets.map(([label, ms]) => (
        <Button
          key={label}
          size="small"
          onClick={({ currentTarget: { form } }) => {
            setText(form, 'since', localAgo(ms, zone));
            setText(form, 'until', '');
            onChange();
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

interface Counted {
  input: ReplayInput;
  matched: number;
}

function useReplay(endpointId: string) {
  const count = useOperation('webhookEndpoints.replay', { quiet: true });
  const options = { quiet: true, done: 'Replay started in the background.', onDone: count.reset };
  const replay = useOperation('webhookEndpoints.replay', options);
  const recover = useOperation('webhookEndpoints.recover', options);
  return {
    count,
    counted: count.data && { input: { ...count.variables, dry_run: false }, matched: count.data.matched },
    start: {
      isPending: replay.isPending || recover.isPending,
      error: replay.error ?? recover.error,
      mutate(input: ReplayInput) {
        if (isRecover(input)) recover.mutate({ endpoint_id: endpointId, since: input.since });
        else replay.mutate(input);
      },
    },
    // Also discards the result of a request in flight.
    reset: (): void => {
      for (const mutation of [count, replay, recover]) mutation.reset();
    },
  };
}

function Estimate({ counted, busy, onStart }: { counted: Counted; busy: boolean; onStart: () => void }) {
  const words = countWords(counted.matched);
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-md border bg-sunken p-3 text-sm"
    >
      {counted.matched === 0 ? (
        <p>Nothing to send: no missed events in this range.</p>
      ) : (
        <>
          <p>
            <strong>{words}</strong> will be sent.
          </p>
          <Button variant="primary" busy={busy} onClick={onStart}>
            Replay {words}
          </Button>
        </>
      )}
    </div>
  );
}

type Replay = Outputs['replays']['get'];

const REFRESH_MS = 1_000;
const ROW = 108;

export function ReplayList({ endpointId }: { endpointId: string }): React.JSX.Element {
  const may = usePermission();
  return (
    <ResourceList
      list="replays.list"
      noun="replays"
      fixed={{ endpoint_id: endpointId }}
      refetchInterval={(rows) => rows.some(({ status }) => status === 'running') && REFRESH_MS}
      columns={may('replays.cancel') ? [...columns, actions] : columns}
      rowHeight={ROW}
      empty={{ title: 'No replays yet', text: 'A replay sends past events again, in the background.' }}
    />
  );
}

const columns: readonly Column<Replay>[] = [
  { title: 'Replay', grow: 2, cell: (replay) => <ReplayCell replay={replay} /> },
  { title: 'Status', nowrap: true, wide: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Progress', grow: 2, cell: (replay) => <ProgressCell replay={replay} /> },
];

const actions: Column<Replay> = { title: 'Actions', align: 'end', cell: (replay) => <ReplayActions replay={replay} /> };

function ReplayCell({ replay }: { replay: Replay }): React.JSX.Element {
  return (
    <div className="whitespace-normal">
      <Link
        to="/settings/webhooks/$endpointId"
        params={{ endpointId: replay.endpoint_id }}
        search={{ tab: 'deliveries', replay_id: replay.id }}
        className={`${rowLink} hover:underline`}
      >
        {selections.find(([only]) => only === replay.only)?.[1]}
      </Link>
      <p className="text-xs text-muted [&_time]:whitespace-normal">
        From <Instant at={replay.since} />
        {replay.until !== null && (
          <>
            {' '}
            to <Instant at={replay.until} />
          </>
        )}
      </p>
    </div>
  );
}

function ProgressCell({ replay }: { replay: Replay }): React.JSX.Element {
  const percent = progressOf(replay);
  const wait = replay.status === 'running' ? describeWait(replay.waiting_for) : undefined;
  return (
    <div className="flex flex-col items-start gap-1 text-xs whitespace-normal">
      <span className="md:hidden">
        <StatusBadge status={replay.status} />
      </span>
      <div
        role="progressbar"
        aria-label="Completed deliveries"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 w-full overflow-hidden rounded-full bg-sunken"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <p className="text-muted tabular-nums">{progressText(replay)}</p>
      {wait !== undefined && <p className="text-warn">{wait}</p>}
      {replay.error !== null && <p className="line-clamp-2 text-bad">{replay.error.message}</p>}
    </div>
  );
}

function ReplayActions({ replay: { id, status } }: { replay: Replay }): React.JSX.Element | null {
  const pause = useOperation('replays.pause', { done: 'Replay paused.' });
  const resume = useOperation('replays.resume', { done: 'Replay resumed.' });
  if (status !== 'running' && status !== 'paused') return null;
  const [change, label] = status === 'running' ? [pause, 'Pause'] : [resume, 'Resume'];
  return (
    <span className="flex flex-col items-end gap-1 md:flex-row md:justify-end">
      <Button
        size="small"
        busy={change.isPending}
        aria-label={`${label} replay`}
        onClick={() => change.mutate({ replay_id: id })}
      >
        {label}
      </Button>
      <OperationButton
        size="small"
        variant="danger"
        operation="replays.cancel"
        label="Cancel"
        aria-label="Cancel replay"
      >
        {(close) => (
          <OperationDialog
            operation="replays.cancel"
            title="Cancel this replay?"
            submit="Cancel replay"
            danger
            done="Replay cancelled."
            fixed={{ replay_id: id }}
            onClose={close}
          >
            <p>Cancels all pending deliveries of this replay. A request in flight may still arrive.</p>
          </OperationDialog>
        )}
      </OperationButton>
    </span>
  );
}
