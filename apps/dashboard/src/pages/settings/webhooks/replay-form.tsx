import { useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { SelectField, TextField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { fieldError } from '../../../lib/problem.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { localOf } from '../../../lib/zoned-time.ts';
import { OlderCompanies } from '../../../operation/record-options.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import type { Endpoint } from './endpoint-health.view.ts';
import { EventsPicker } from './events-picker.tsx';
import {
  countWords,
  isRecover,
  type ReplayDraft,
  type ReplayFaults,
  type ReplayInput,
  readReplay,
} from './replay-draft.view.ts';

const DAY_MS = 86_400_000;
const presets = [
  ['Last hour', DAY_MS / 24],
  ['Last day', DAY_MS],
  ['Last 7 days', 7 * DAY_MS],
  ['Last 30 days', 30 * DAY_MS],
] as const;

const selections = [
  ['failed', 'What was given up (recover)', 'Failed deliveries that haven’t been redelivered'],
  ['missing', 'What never arrived', 'Given up, or never sent: the endpoint or its filter came too late.'],
  ['all', 'Everything again', 'Also what arrived already; your server sees the same event ids again.'],
] as const;

function localAgo(ms: number, zone: string): string {
  return localOf(new Date(Date.now() - ms).toISOString(), zone);
}

/** Counts the matching events, and starts the replay only after that. */
export function ReplayForm({ endpoint }: { endpoint: Endpoint }): React.JSX.Element {
  const zone = useZone();
  const [draft, setDraft] = useState<ReplayDraft>(() => ({
    only: 'failed',
    since: localAgo(DAY_MS, zone),
    until: '',
    types: [],
    allTypes: true,
    companyId: '',
  }));
  const [faults, setFaults] = useState<ReplayFaults>({});
  const { count, ask, counted, start, forget } = useReplay(endpoint.id);
  const set = (part: Partial<ReplayDraft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    forget();
  };
  const send = (): void => {
    const read = readReplay(draft, zone);
    setFaults('faults' in read ? read.faults : {});
    if ('input' in read) ask({ ...read.input, endpoint_id: endpoint.id, dry_run: true });
  };
  const error = start.error ?? count.error;
  return (
    <Form submit={counted ? 'Count again' : 'Count events'} busy={count.isPending} error={error} onSubmit={send}>
      <SelectField
        label="What to send"
        value={draft.only}
        onChange={(event) => set({ only: selections.find(([only]) => only === event.target.value)?.[0] ?? 'failed' })}
        hint={selections.find(([only]) => only === draft.only)?.[2]}
      >
        {selections.map(([only, label]) => (
          <option key={only} value={only}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="Since"
          type="datetime-local"
          className="min-w-52"
          value={draft.since}
          onChange={(event) => set({ since: event.target.value })}
          error={faults.since ?? fieldError(error, 'since')}
          hint={`Clocks of ${zone}`}
        />
        <TextField
          label="Until (optional)"
          type="datetime-local"
          className="min-w-52"
          value={draft.until}
          onChange={(event) => set({ until: event.target.value })}
          error={faults.until ?? fieldError(error, 'until')}
          hint="Empty: up to now"
        />
      </div>
      <div className="flex flex-wrap gap-2" role="group" aria-label="Since">
        {presets.map(([label, ms]) => (
          <Button key={label} size="small" onClick={() => set({ since: localAgo(ms, zone), until: '' })}>
            {label}
          </Button>
        ))}
      </div>
      <details className="rounded-md border" open={faults.types !== undefined || undefined}>
        <summary className="px-4 py-3 text-sm font-medium">Only some of it</summary>
        <div className="flex flex-col gap-4 border-t p-4">
          <EventsPicker
            all={draft.allTypes}
            events={draft.types}
            onChange={({ allEvents, events }) => set({ allTypes: allEvents, types: events })}
            error={faults.types ?? fieldError(error, 'types')}
          />
          <CompanyChoice value={draft.companyId} onChange={(companyId) => set({ companyId })} />
        </div>
      </details>
      {counted && <Estimate counted={counted} busy={start.isPending} onStart={() => start.mutate(counted.input)} />}
    </Form>
  );
}

interface Counted {
  input: ReplayInput;
  matched: number;
}

function useReplay(endpointId: string) {
  const [counted, setCounted] = useState<Counted>();
  // A count is discarded if the form changed while the request was in flight.
  const asked = useRef<ReplayInput>(undefined);
  const count = useOperation('webhookEndpoints.replay', {
    quiet: true,
    onDone: ({ matched }, input) => {
      if (input === asked.current) setCounted({ input: { ...input, dry_run: false }, matched });
    },
  });
  const begun = {
    quiet: true,
    done: 'The replay has begun. It goes on in the background.',
    onDone: () => setCounted(undefined),
  };
  const replay = useOperation('webhookEndpoints.replay', begun);
  const recover = useOperation('webhookEndpoints.recover', begun);
  return {
    count,
    counted,
    ask: (input: ReplayInput): void => {
      asked.current = input;
      count.mutate(input);
    },
    start: {
      isPending: replay.isPending || recover.isPending,
      error: replay.error ?? recover.error,
      mutate(input: ReplayInput) {
        if (isRecover(input)) recover.mutate({ endpoint_id: endpointId, since: input.since });
        else replay.mutate(input);
      },
    },
    forget: (): void => {
      asked.current = undefined;
      setCounted(undefined);
      for (const action of [count, replay, recover]) action.reset();
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
            <strong>{words}</strong> would be sent. No deliveries yet.
          </p>
          <Button variant="primary" busy={busy} onClick={onStart}>
            Send {words}
          </Button>
        </>
      )}
    </div>
  );
}

function CompanyChoice({
  value,
  onChange,
}: {
  value: string;
  onChange: (companyId: string) => void;
}): React.JSX.Element {
  const { all, hasMore } = useCompanies();
  return (
    <SelectField label="Company" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">All that the endpoint gets</option>
      {all.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <OlderCompanies hasMore={hasMore} />
    </SelectField>
  );
}
