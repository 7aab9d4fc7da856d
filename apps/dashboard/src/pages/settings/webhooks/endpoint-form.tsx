import { useNavigate } from '@tanstack/react-router';
import { useContext, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CompanyChoice } from '../../../components/company-choice.tsx';
import { SecretOnce } from '../../../components/copy.tsx';
import { CheckField } from '../../../components/field.tsx';
import { CompanyContext } from '../../../components/shell/company-context.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { useSession } from '../../../lib/use-session.ts';
import { OperationDialog } from '../../../operation/operation-dialog.tsx';
import type { FieldSlot, FieldsOf } from '../../../operation/operation-form.tsx';
import { type EventChoice, eventsField } from './events-picker.tsx';
import { FilterEditor } from './payload-filter.tsx';
import { draftFilter, fieldsOf, readFilter } from './payload-filter.view.ts';
import { RateFields, RetryFields, readRateLimit, readRetry } from './rate-and-retries.tsx';
import { type Endpoint, useEventTypes } from './use-endpoints.ts';

type Created = Outputs['webhookEndpoints']['create'];

export function CreateEndpointDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useContext(CompanyContext);
  const fields = useEndpointFields(undefined, company?.id);
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

export const payloadNames = {
  full: 'Full: the whole record',
  thin: 'Thin: IDs, status and counts',
} as const satisfies Record<Endpoint['payload'], string>;

const fold = 'Advanced';

function useEndpointFields(endpoint?: Endpoint, companyId = endpoint?.company_id): FieldsOf<'webhookEndpoints.create'> {
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
      companyId,
      key.company_ids === null ? 'All companies, and account events' : 'Choose a company',
      'Choose a company to receive only events of this company.',
    ),
    filter: useFilterField(endpoint, choice),
    headers: {
      fold,
      hint: 'One name: value pair per line, sent with every delivery. Values are encrypted and can’t be viewed later. Keep *** to leave a value unchanged. If you change the host of the URL, enter all values again.',
    },
    rate_limit: {
      fold,
      slot: (errorOf) => <RateFields rate={endpoint?.rate_limit} error={errorOf('rate_limit')} />,
      read: readRateLimit,
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
      hint: 'Choose thin events, of at most 24 KiB, for a server with a small body limit, and get the record from the API. Existing deliveries keep their payload.',
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
      read: (data) => ({ value: data.has('v1a') ? ['v1', 'v1a'] : ['v1'] }),
    },
    metadata: { fold, rows: 3, hint: 'One key: value pair per line.' },
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
    read: () => readFilter(draft),
  };
}
