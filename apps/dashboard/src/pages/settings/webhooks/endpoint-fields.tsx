import { Button } from '../../../components/button.tsx';
import { CompanyChoice } from '../../../components/company-choice.tsx';
import { CheckField, SelectField, TextField } from '../../../components/field.tsx';
import { fieldError } from '../../../lib/problem.ts';
import { useEventTypes } from '../../../lib/use-event-types.ts';
import { useSession } from '../../../lib/use-session.ts';
import { describeSchedule, parseWaits } from './duration.view.ts';
import { type DraftErrors, type EndpointDraft, newPair, type Pair, payloadNames } from './endpoint-draft.view.ts';
import { EventsPicker } from './events-picker.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { fieldsOf } from './payload-filter.view.ts';

export interface EndpointFieldsProps {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
  errors: DraftErrors;
  error: unknown;
}

type FieldsProps = EndpointFieldsProps & {
  set: (part: Partial<EndpointDraft>) => void;
  errorOf: (field: keyof DraftErrors) => string | undefined;
};

export function EndpointFields(props: EndpointFieldsProps): React.JSX.Element {
  const { draft, onChange, errors, error } = props;
  const part: FieldsProps = {
    ...props,
    set: (change) => onChange({ ...draft, ...change }),
    errorOf: (field) => errors[field] ?? fieldError(error, field),
  };
  const { set, errorOf } = part;
  const folded: ReadonlyArray<keyof DraftErrors> = [
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
        label="URL"
        type="url"
        name="url"
        required
        spellCheck={false}
        placeholder="https://example.com/webhooks"
        value={draft.url}
        onChange={(event) => set({ url: event.target.value })}
        error={errorOf('url')}
        hint="We POST events to this URL. Respond with 2xx. Redirects aren’t followed."
      />
      <EventsPicker all={draft.allEvents} events={draft.events} onChange={set} error={errorOf('events')} />
      <TextField
        label="Description"
        value={draft.description}
        maxLength={500}
        onChange={(event) => set({ description: event.target.value })}
        error={errorOf('description')}
        hint="Optional. Shown in lists."
      />
      <CompanyField {...part} />
      <details className="rounded-md border" open={folded.some((name) => errorOf(name) !== undefined) || undefined}>
        <summary className="px-4 py-3 text-sm font-medium">Advanced</summary>
        <div className="flex flex-col gap-6 border-t p-4">
          <FilterFields {...part} />
          <PairsEditor
            title="Headers"
            noun="header"
            hint="Sent with every delivery. Values are encrypted and can’t be viewed later. Keep *** to leave a value unchanged. If you change the host of the URL, enter all values again."
            pairs={draft.headers}
            onChange={(headers) => set({ headers })}
            error={errorOf('headers')}
          />
          <RateFields {...part} />
          <RetryFields {...part} />
          <MoreFields {...part} />
        </div>
      </details>
    </div>
  );
}

function CompanyField({ draft, set, errorOf }: FieldsProps): React.JSX.Element {
  const { api_key: key } = useSession();
  return (
    <CompanyChoice
      value={draft.companyId || undefined}
      onChange={(companyId = '') => set({ companyId })}
      none={key.company_ids === null ? 'All companies, and account events' : 'Choose a company'}
      error={errorOf('company_id')}
      hint="Choose a company to receive only events of this company."
    />
  );
}

function FilterFields({ draft, set, errorOf }: FieldsProps): React.JSX.Element {
  const types = useEventTypes();
  const wanted = (types.data?.data ?? []).filter(({ type }) => draft.allEvents || draft.events.includes(type));
  return (
    <FilterEditor
      draft={draft.filter}
      onChange={(filter) => set({ filter })}
      fields={fieldsOf(wanted.map(({ sample }) => sample))}
      error={errorOf('filter')}
    />
  );
}

function RateFields({ draft, set, errorOf }: FieldsProps): React.JSX.Element {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Delivery rate</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Rate limit (requests)"
          inputMode="numeric"
          placeholder="No limit"
          value={draft.rateRequests}
          onChange={(event) => set({ rateRequests: event.target.value })}
          error={errorOf('rate_limit')}
        />
        <TextField
          label="Per (seconds)"
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
          error={errorOf('max_concurrency')}
          hint="1 to 64"
        />
        <TextField
          label="Timeout (seconds)"
          inputMode="decimal"
          placeholder="15"
          value={draft.timeoutSeconds}
          onChange={(event) => set({ timeoutSeconds: event.target.value })}
          error={errorOf('timeout_ms')}
          hint="1 to 30, for the whole request"
        />
      </div>
      <CheckField
        label="Deliver one event at a time, in order"
        hint="The next event is sent once the previous one succeeds or fails permanently. A failing event holds back all others."
        checked={draft.ordered}
        onChange={(event) => set({ ordered: event.target.checked })}
      />
    </fieldset>
  );
}

const retries = ['default', 'none', 'custom'] as const;

function RetryFields({ draft, set, errorOf }: FieldsProps): React.JSX.Element {
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
          label="Delays between attempts"
          value={draft.waits}
          spellCheck={false}
          onChange={(event) => set({ waits: event.target.value })}
          error={errorOf('retry_schedule')}
          hint={
            waits === undefined
              ? 'For example 5s, 5m, 2h, 1d. At most 15 delays.'
              : `${describeSchedule(waits)}. Each delay varies by ±20%.`
          }
        />
      )}
    </fieldset>
  );
}

function MoreFields({ draft, set, errorOf }: FieldsProps): React.JSX.Element {
  return (
    <>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-1 text-sm font-medium">Events and signatures</legend>
        <SelectField
          label="Payload"
          value={draft.payload}
          onChange={(event) => set({ payload: event.target.value === 'thin' ? 'thin' : 'full' })}
          hint="Thin events fit receivers with a small body limit: at most 24 KiB. Read the rest from the API. Deliveries that exist keep their form."
        >
          <option value="full">{payloadNames.full}</option>
          <option value="thin">{payloadNames.thin}</option>
        </SelectField>
        <CheckField
          label="Operational events"
          hint="Also send events about failing, disabled and recovered endpoints and failed deliveries, except those of this endpoint."
          checked={draft.operational}
          onChange={(event) => set({ operational: event.target.checked })}
        />
        <CheckField
          label="Internal case comments"
          checked={draft.includeInternal}
          onChange={(event) => set({ includeInternal: event.target.checked })}
        />
        <CheckField
          label="Also sign with Ed25519 (v1a)"
          hint="Receivers verify with a public key. Turning this off deletes the key pair."
          checked={draft.asymmetric}
          onChange={(event) => set({ asymmetric: event.target.checked })}
        />
      </fieldset>
      <PairsEditor
        title="Metadata"
        noun="entry"
        hint="Your own key–value pairs."
        pairs={draft.metadata}
        onChange={(metadata) => set({ metadata })}
        error={errorOf('metadata')}
      />
    </>
  );
}

interface PairsEditorProps {
  title: string;
  noun: string;
  hint: string;
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
  error?: string | undefined;
}

function PairsEditor({ title, noun, hint, pairs, onChange, error }: PairsEditorProps): React.JSX.Element {
  const change = (key: string, part: Partial<Pair>): void =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...part } : pair)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{title}</legend>
      <p className="text-xs text-muted">{hint}</p>
      {pairs.map(({ key, name, value }, i) => (
        <div key={key} className="flex flex-wrap items-end gap-2">
          <TextField
            label={`Name of ${noun} ${i + 1}`}
            className="min-w-32 flex-1"
            value={name}
            spellCheck={false}
            onChange={(event) => change(key, { name: event.target.value })}
          />
          <TextField
            label={`Value of ${noun} ${i + 1}`}
            className="min-w-32 flex-1"
            value={value}
            spellCheck={false}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <Button
            variant="quiet"
            aria-label={`Remove ${noun} ${i + 1}`}
            onClick={() => onChange(pairs.filter((pair) => pair.key !== key))}
          >
            Remove
          </Button>
        </div>
      ))}
      {error !== undefined && <p className="text-xs text-bad">{error}</p>}
      <div>
        <Button size="small" onClick={() => onChange([...pairs, newPair()])}>
          Add {noun}
        </Button>
      </div>
    </fieldset>
  );
}
