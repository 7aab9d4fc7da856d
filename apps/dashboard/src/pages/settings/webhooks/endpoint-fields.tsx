import { CheckField, SelectField, TextField } from '../../../components/field.tsx';
import { fieldError } from '../../../lib/problem.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { useEventTypes } from '../../../lib/use-event-types.ts';
import { useSession } from '../../../lib/use-session.ts';
import { OlderCompanies } from '../../../operation/record-options.tsx';
import { describeSchedule, parseWaits } from './duration.view.ts';
import type { DraftFaults, EndpointDraft } from './endpoint-draft.view.ts';
import { EventsPicker } from './events-picker.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { PairsEditor } from './pairs-editor.tsx';
import { fieldsOf } from './payload-filter.view.ts';

export interface EndpointFieldsProps {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
  faults: DraftFaults;
  error: unknown;
}

type Part = EndpointFieldsProps & {
  set: (part: Partial<EndpointDraft>) => void;
  fault: (field: keyof DraftFaults) => string | undefined;
};

export function EndpointFields(props: EndpointFieldsProps): React.JSX.Element {
  const { draft, onChange, faults, error } = props;
  const part: Part = {
    ...props,
    set: (change) => onChange({ ...draft, ...change }),
    fault: (field) => faults[field] ?? fieldError(error, field),
  };
  const { set, fault } = part;
  const folded: ReadonlyArray<keyof DraftFaults> = [
    'filter',
    'headers',
    'timeout_ms',
    'retry_schedule',
    'rate_limit',
    'max_concurrency',
    'metadata',
  ];
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label="Address"
        type="url"
        name="url"
        required
        spellCheck={false}
        placeholder="https://example.com/webhooks"
        value={draft.url}
        onChange={(event) => set({ url: event.target.value })}
        error={fault('url')}
        hint="Events are sent here by POST. Respond with 2xx. Redirects are not followed."
      />
      <EventsPicker all={draft.allEvents} events={draft.events} onChange={set} error={fault('events')} />
      <TextField
        label="Description"
        value={draft.description}
        maxLength={500}
        onChange={(event) => set({ description: event.target.value })}
        error={fault('description')}
        hint="A name for your team."
      />
      <CompanyField {...part} />
      <details className="rounded-md border" open={folded.some((name) => fault(name) !== undefined) || undefined}>
        <summary className="px-4 py-3 text-sm font-medium">Advanced</summary>
        <div className="flex flex-col gap-6 border-t p-4">
          <FilterFields {...part} />
          <PairsEditor
            title="Headers"
            noun="header"
            hint="Sent with every delivery. Values are encrypted and not shown again. Keep *** to leave a value unchanged; enter it again if the URL changes."
            pairs={draft.headers}
            onChange={(headers) => set({ headers })}
            error={fault('headers')}
          />
          <PaceFields {...part} />
          <RetryFields {...part} />
          <MoreFields {...part} />
        </div>
      </details>
    </div>
  );
}

function CompanyField({ draft, set, fault }: Part): React.JSX.Element {
  const { api_key: key } = useSession();
  const { all: listed, hasMore, nameOf } = useCompanies([draft.companyId || null]);
  const known = draft.companyId === '' || listed.some(({ id }) => id === draft.companyId);
  return (
    <SelectField
      label="Company"
      value={draft.companyId}
      onChange={(event) => set({ companyId: event.target.value })}
      error={fault('company_id')}
      hint="Choose a company to receive only its events."
    >
      <option value="">{key.company_ids === null ? 'All companies and account events' : 'Choose a company'}</option>
      {!known && <option value={draft.companyId}>{nameOf(draft.companyId)}</option>}
      {listed.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <OlderCompanies hasMore={hasMore} />
    </SelectField>
  );
}

function FilterFields({ draft, set, fault }: Part): React.JSX.Element {
  const types = useEventTypes();
  const wanted = (types.data?.data ?? []).filter(({ type }) => draft.allEvents || draft.events.includes(type));
  return (
    <FilterEditor
      draft={draft.filter}
      onChange={(filter) => set({ filter })}
      fields={fieldsOf(wanted.map(({ sample }) => sample))}
      error={fault('filter')}
    />
  );
}

function PaceFields({ draft, set, fault }: Part): React.JSX.Element {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Rate</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Maximum requests"
          inputMode="numeric"
          placeholder="No limit"
          value={draft.rateRequests}
          onChange={(event) => set({ rateRequests: event.target.value })}
          error={fault('rate_limit')}
        />
        <TextField
          label="Per seconds"
          inputMode="numeric"
          value={draft.ratePerSeconds}
          onChange={(event) => set({ ratePerSeconds: event.target.value })}
        />
        <TextField
          label="Concurrent requests"
          inputMode="numeric"
          placeholder="Automatic"
          value={draft.maxConcurrency}
          onChange={(event) => set({ maxConcurrency: event.target.value })}
          error={fault('max_concurrency')}
          hint="1 to 64"
        />
        <TextField
          label="Timeout in seconds"
          inputMode="decimal"
          placeholder="15"
          value={draft.timeoutSeconds}
          onChange={(event) => set({ timeoutSeconds: event.target.value })}
          error={fault('timeout_ms')}
          hint="1 to 30, for the whole request"
        />
      </div>
      <CheckField
        label="Deliver one event at a time, in order"
        hint="Each event waits until the previous one succeeds or fails permanently. Slower: a failing event blocks the rest."
        checked={draft.ordered}
        onChange={(event) => set({ ordered: event.target.checked })}
      />
    </fieldset>
  );
}

const retries = ['default', 'none', 'custom'] as const;

function RetryFields({ draft, set, fault }: Part): React.JSX.Element {
  const waits = parseWaits(draft.waits);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Retries</legend>
      <SelectField
        label="Schedule"
        value={draft.retry}
        onChange={(event) => set({ retry: retries.find((retry) => retry === event.target.value) ?? 'default' })}
      >
        <option value="default">{describeSchedule(null)}</option>
        <option value="none">{describeSchedule([])}</option>
        <option value="custom">Custom schedule</option>
      </SelectField>
      {draft.retry === 'custom' && (
        <TextField
          label="Waits before the second, third, … attempt"
          value={draft.waits}
          spellCheck={false}
          onChange={(event) => set({ waits: event.target.value })}
          error={fault('retry_schedule')}
          hint={waits === undefined ? 'Such as 5s, 5m, 2h, 1d; at most 15.' : `${describeSchedule(waits)}, each ±20 %.`}
        />
      )}
    </fieldset>
  );
}

function MoreFields({ draft, set, fault }: Part): React.JSX.Element {
  return (
    <>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-1 text-sm font-medium">More events and signatures</legend>
        <CheckField
          label="Operational events"
          hint="Also send events about disabled, recovered and late endpoints and failed deliveries. Never about this endpoint."
          checked={draft.operational}
          onChange={(event) => set({ operational: event.target.checked })}
        />
        <CheckField
          label="Internal comments on cases"
          checked={draft.includeInternal}
          onChange={(event) => set({ includeInternal: event.target.checked })}
        />
        <CheckField
          label="Sign with Ed25519 too (v1a)"
          hint="Receivers verify with a public key only. Turning this off deletes the key pair."
          checked={draft.asymmetric}
          onChange={(event) => set({ asymmetric: event.target.checked })}
        />
      </fieldset>
      <PairsEditor
        title="Metadata"
        noun="entry"
        hint="For your own use. Not read by the service."
        pairs={draft.metadata}
        onChange={(metadata) => set({ metadata })}
        error={fault('metadata')}
      />
    </>
  );
}
