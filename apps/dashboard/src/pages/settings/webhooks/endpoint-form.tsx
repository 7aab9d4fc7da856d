import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CompanyChoice } from '../../../components/company-choice.tsx';
import { SecretOnce } from '../../../components/copy.tsx';
import { CheckField, SelectField, TextField } from '../../../components/field.tsx';
import type { Outputs } from '../../../lib/trpc.ts';
import { useSession } from '../../../lib/use-session.ts';
import { OperationDialog } from '../../../operation/operation-dialog.tsx';
import type { FieldSlot, FieldsOf } from '../../../operation/operation-form.tsx';
import {
  describeSchedule,
  parseWaits,
  payloadNames,
  readRate,
  readRetry,
  readSignatures,
  writeWaits,
} from './endpoint-form.view.ts';
import { type EventChoice, eventsField } from './events-picker.tsx';
import { pairsField } from './pairs-field.tsx';
import { FilterEditor } from './payload-filter.tsx';
import { draftFilter, fieldsOf, readFilter } from './payload-filter.view.ts';
import { type Endpoint, useEventTypes } from './use-endpoints.ts';

type Created = Outputs['webhookEndpoints']['create'];

export function CreateEndpointDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const fields = useEndpointFields();
  return (
    <OperationDialog
      operation="webhookEndpoints.create"
      variant="side"
      title="Create endpoint"
      description="A URL that receives events."
      submit="Create endpoint"
      fixed={{}}
      fields={fields}
      result={{
        title: 'Endpoint created',
        description: 'Use the signing secret to verify each request on your server.',
        content: (created) => <CreatedEndpoint created={created} onClose={onClose} />,
      }}
      onClose={onClose}
    />
  );
}

function CreatedEndpoint({ created, onClose }: { created: Created; onClose: () => void }): React.JSX.Element {
  const navigate = useNavigate();
  const show = (): void => {
    onClose();
    void navigate({ to: '/settings/webhooks/$endpointId', params: { endpointId: created.id } });
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm wrap-anywhere">{created.url}</p>
      <SecretOnce secret={created.secret} label="Signing secret" />
      {created.warnings?.map(({ code, message }) => (
        <p key={code} role="status" className="text-sm text-warn wrap-anywhere">
          {message}
        </p>
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          I’ve stored it
        </Button>
        <Button variant="primary" onClick={show}>
          View endpoint
        </Button>
      </div>
    </div>
  );
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const fields = useEndpointFields(endpoint);
  return (
    <OperationDialog
      operation="webhookEndpoints.update"
      variant="side"
      title="Edit endpoint"
      description="Changes apply to new events. Pending deliveries keep their payload."
      submit="Save changes"
      done="Endpoint saved."
      fixed={{ endpoint_id: endpoint.id }}
      record={endpoint}
      fields={fields}
      onClose={onClose}
    />
  );
}

const fold = 'Advanced';

function useEndpointFields(endpoint?: Endpoint): FieldsOf<'webhookEndpoints.create'> {
  const { api_key: key } = useSession();
  const [choice, setChoice] = useState<EventChoice>({
    all: endpoint === undefined || endpoint.events.length === 0,
    events: endpoint?.events ?? [],
  });
  return {
    url: {
      label: 'URL',
      type: 'url',
      required: true,
      placeholder: 'https://example.com/webhooks',
      hint: 'We POST events to this URL. Respond with 2xx. Redirects aren’t followed.',
    },
    events: eventsField('events', choice, setChoice),
    description: { hint: 'Shown in lists.' },
    company_id: useCompanyField(
      endpoint?.company_id,
      key.company_ids === null ? 'All companies, and account events' : 'Choose a company',
      'Choose a company to receive only events of this company.',
    ),
    filter: useFilterField(endpoint, choice),
    headers: pairsField('headers', endpoint?.headers, {
      noun: 'header',
      hint: 'Sent with every delivery. Values are encrypted and can’t be viewed later. Keep *** to leave a value unchanged. If you change the host of the URL, enter all values again.',
    }),
    rate_limit: {
      fold,
      slot: (errorOf) => <RateFields rate={endpoint?.rate_limit} error={errorOf('rate_limit')} />,
      read: readRate,
    },
    max_concurrency: { fold, half: true, label: 'Concurrent requests', placeholder: 'Automatic', hint: '1 to 64' },
    timeout_ms: {
      fold,
      half: true,
      label: 'Timeout in seconds',
      placeholder: '15',
      hint: '1 to 30, for the whole request',
    },
    ordered: {
      fold,
      label: 'Deliver one event at a time, in order',
      hint: 'The next event is sent once the previous one succeeds or fails permanently. A failing event holds back all others.',
    },
    retry_schedule: {
      fold,
      slot: (errorOf) => <RetryFields schedule={endpoint?.retry_schedule} error={errorOf('retry_schedule')} />,
      read: readRetry,
    },
    payload: {
      fold,
      choices: Object.entries(payloadNames),
      hint: 'Thin events fit receivers with a small body limit: at most 24 KiB. Read the rest from the API. Deliveries that exist keep their form.',
    },
    operational: {
      fold,
      label: 'Operational events',
      hint: 'Also send events about failing, disabled and recovered endpoints and failed deliveries, except those of this endpoint.',
    },
    include_internal: { fold, label: 'Internal case comments' },
    signature_versions: {
      fold,
      slot: () => (
        <CheckField
          name="v1a"
          label="Also sign with Ed25519 (v1a)"
          hint="Receivers verify with a public key. Turning this off deletes the key pair."
          defaultChecked={endpoint?.signature_versions.includes('v1a')}
        />
      ),
      read: readSignatures,
    },
    metadata: pairsField('metadata', endpoint?.metadata, { noun: 'entry', hint: 'Your own key–value pairs.' }),
  };
}

export function useCompanyField(chosen: string | null | undefined, none: string, hint?: string): FieldSlot {
  const [companyId, setCompanyId] = useState(chosen ?? undefined);
  return {
    slot: (errorOf) => (
      <CompanyChoice value={companyId} onChange={setCompanyId} none={none} error={errorOf('company_id')} hint={hint} />
    ),
    read: () => ({ value: companyId ?? null }),
  };
}

function useFilterField(endpoint: Endpoint | undefined, choice: EventChoice): FieldSlot {
  const [draft, setDraft] = useState(() => draftFilter(endpoint?.filter ?? null));
  const types = useEventTypes().data?.data ?? [];
  const chosen = types.filter(({ type }) => choice.all || choice.events.includes(type));
  return {
    fold,
    slot: (errorOf) => (
      <FilterEditor
        draft={draft}
        onChange={setDraft}
        fields={fieldsOf(chosen.map(({ sample }) => sample))}
        error={errorOf('filter')}
      />
    ),
    read() {
      const read = readFilter(draft);
      return 'fault' in read ? read : { value: read.filter };
    },
  };
}

interface RateFieldsProps {
  rate: Endpoint['rate_limit'] | undefined;
  error: string | undefined;
}

function RateFields({ rate, error }: RateFieldsProps): React.JSX.Element {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Rate limit (requests)"
        name="rate_requests"
        inputMode="numeric"
        placeholder="No limit"
        defaultValue={rate?.requests}
        error={error}
      />
      <TextField label="Per (seconds)" name="rate_seconds" inputMode="numeric" defaultValue={rate?.per_seconds ?? 1} />
    </div>
  );
}

interface RetryFieldsProps {
  schedule: Endpoint['retry_schedule'] | undefined;
  error: string | undefined;
}

function RetryFields({ schedule, error }: RetryFieldsProps): React.JSX.Element {
  const [retry, setRetry] = useState(schedule == null ? 'default' : schedule.length === 0 ? 'none' : 'custom');
  const [delays, setDelays] = useState(schedule?.length ? writeWaits(schedule) : '5s, 5m, 30m, 2h');
  const seconds = parseWaits(delays);
  return (
    <>
      <SelectField
        label="Retry schedule"
        name="retry"
        value={retry}
        onChange={(event) => setRetry(event.target.value)}
        error={retry === 'custom' ? undefined : error}
      >
        <option value="default">{describeSchedule(null)}</option>
        <option value="none">{describeSchedule([])}</option>
        <option value="custom">Custom schedule</option>
      </SelectField>
      {retry === 'custom' && (
        <TextField
          label="Delays between attempts"
          name="delays"
          value={delays}
          spellCheck={false}
          onChange={(event) => setDelays(event.target.value)}
          error={error}
          hint={
            seconds === undefined
              ? 'For example 5s, 5m, 2h, 1d. At most 15 delays.'
              : `${describeSchedule(seconds)}. Each delay varies by ±20%.`
          }
        />
      )}
    </>
  );
}
