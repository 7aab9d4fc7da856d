import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Options, SelectField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { plural } from '../../../lib/text.ts';
import type { Inputs } from '../../../lib/trpc.ts';
import { localOf } from '../../../lib/zoned-time.ts';
import { asInput, useOperationFields } from '../../../operation/operation-form.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { useCompanyField } from './endpoint-form.tsx';
import { replayProblem } from './endpoint-health.tsx';
import { type EventChoice, eventsField } from './events-picker.tsx';
import type { Endpoint } from './use-endpoints.ts';

export type ReplayInput = Inputs['webhookEndpoints']['replay'];

export const selections = [
  ['failed', 'Failed deliveries', 'Failed deliveries that haven’t been redelivered'],
  ['missing', 'Missed events', 'Failed deliveries, and events from before the endpoint or its filter existed'],
  ['all', 'All events', 'Includes delivered events. Your server receives the same event IDs again.'],
] as const;

export function isRecover(input: Omit<ReplayInput, 'endpoint_id'>): boolean {
  return input.only === 'failed' && input.until == null && input.types == null && input.company_id == null;
}

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
  const [preset, setPreset] = useState(() => ({ since: localAgo(DAY_MS, zone), presses: 0 }));
  const [only, setOnly] = useState('failed');
  const [events, setEvents] = useState<EventChoice>({ all: true, events: [] });
  const { count, counted, start, reset } = useReplay(endpoint.id);
  const { controls, read, error } = useOperationFields<'webhookEndpoints.replay'>({
    operation: 'webhookEndpoints.replay',
    error: start.error ?? count.error,
    fields: {
      since: { label: 'From', half: true, initial: preset.since, key: `since ${preset.presses}`, required: true },
      until: { label: 'To', half: true, key: `until ${preset.presses}`, hint: 'Defaults to now.' },
      only: {
        slot: () => (
          <>
            <Presets
              onChoose={(ms) => {
                setPreset(({ presses }) => ({ since: localAgo(ms, zone), presses: presses + 1 }));
                reset();
              }}
            />
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
      <Form
        submit={counted ? 'Count again' : 'Count events'}
        quiet={counted !== undefined && counted.matched > 0}
        busy={count.isPending}
        error={error}
        onSubmit={send}
      >
        <StillFails endpoint={endpoint} />
        {controls}
        {counted && <Estimate counted={counted} busy={start.isPending} onStart={() => start.mutate(counted.input)} />}
      </Form>
    </div>
  );
}

/** Why a replay will not arrive yet; nothing for an endpoint that works. */
export function StillFails({ endpoint }: { endpoint: Endpoint }): React.JSX.Element | null {
  const problem = replayProblem(endpoint);
  if (problem === undefined) return null;
  return <p className="rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">{problem}</p>;
}

function Presets({ onChoose }: { onChoose: (ms: number) => void }): React.JSX.Element {
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label="Time range">
      {presets.map(([label, ms]) => (
        <Button key={label} size="small" onClick={() => onChoose(ms)}>
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

const COUNTED_TO = 100_000;

export function countWords(matched: number): string {
  const words = plural(matched, 'event');
  return matched >= COUNTED_TO ? `${words} or more` : words;
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
