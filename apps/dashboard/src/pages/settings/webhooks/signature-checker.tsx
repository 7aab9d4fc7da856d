import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextArea, TextField } from '../../../components/field.tsx';
import { FilterChoice } from '../../../components/filter-bar.tsx';
import { Form } from '../../../components/form.tsx';
import { Panel } from '../../../components/page.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { Loading } from '../../../components/states.tsx';
import { type Input, useTRPC } from '../../../lib/trpc.ts';
import { useSession } from '../../../lib/use-session.ts';
import { instantOf, localOf } from '../../../lib/zoned-time.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { endpointNames, headerLines } from './attempt.view.ts';
import { BodyField } from './body-field.tsx';
import { CheckResult, type CheckResultProps } from './check-result.tsx';
import { isGenuine, readHeaderText, withoutNewline } from './signature-check.view.ts';
import { useEndpoints } from './use-endpoints.ts';

interface CheckStart {
  endpointId: string;
  headers: string;
  body: string;
  at: string;
}

export function SignatureChecker({ deliveryId }: { deliveryId: string | undefined }): React.JSX.Element {
  const { role } = useSession();
  const given = useDelivered(deliveryId);
  return (
    <Panel title="Verify a signature">
      <p className="mb-4 max-w-prose text-sm text-muted">
        Paste a request that your server received, and choose its endpoint. If the signature is valid here but not on
        your server, your server uses another secret or changes the body before verification.
      </p>
      {role === 'viewer' ? (
        <p className="text-sm">Read keys can’t verify signatures. Sign in with a key of scope human.</p>
      ) : given.isLoading ? (
        <Loading label="Loading the delivery" lines={5} />
      ) : (
        <CheckForm key={given.start ? deliveryId : 'own'} {...(given.start && { start: given.start })} />
      )}
    </Panel>
  );
}

function useDelivered(deliveryId: string | undefined): { start: CheckStart | undefined; isLoading: boolean } {
  const trpc = useTRPC();
  const delivery = useQuery(
    trpc.deliveries.get.queryOptions({ delivery_id: deliveryId ?? '' }, { enabled: deliveryId !== undefined }),
  );
  const event = useQuery(
    trpc.events.get.queryOptions(
      { event_id: delivery.data?.event_id ?? '' },
      { enabled: delivery.data !== undefined, retry: false },
    ),
  );
  if (delivery.isLoading || event.isLoading) return { start: undefined, isLoading: true };
  const attempt = delivery.data?.attempts.at(-1);
  if (!delivery.data || !attempt) return { start: undefined, isLoading: false };
  return {
    isLoading: false,
    start: {
      endpointId: delivery.data.endpoint_id,
      headers: headerLines(attempt.request_headers ?? {}),
      body: event.data === undefined ? '' : JSON.stringify(event.data),
      at: attempt.at,
    },
  };
}

function CheckForm({ start }: { start?: CheckStart }): React.JSX.Element {
  const zone = useZone();
  const [endpointId, setEndpointId] = useState(start?.endpointId ?? '');
  const [headers, setHeaders] = useState(start?.headers ?? '');
  const [body, setBody] = useState(start?.body ?? '');
  const [at, setAt] = useState(start ? localOf(start.at, zone) : '');
  const endpoints = useEndpoints().data?.data ?? [];
  const check = useCheck();
  const { headers: parsed, unread } = readHeaderText(headers);
  // A verdict applies only to the values that were checked.
  const update = (set: () => void): void => {
    set();
    check.reset();
  };
  const receivedAt = at === '' ? undefined : instantOf(at, zone);
  return (
    <Form
      submit="Verify signature"
      busy={check.isPending}
      error={check.error}
      onSubmit={() =>
        check.mutate({
          endpoint_id: endpointId,
          headers: parsed,
          body,
          ...(receivedAt !== undefined && { at: receivedAt }),
        })
      }
    >
      <FilterChoice
        label="Endpoint"
        required
        none="Choose an endpoint"
        value={endpointId}
        onChange={(id = '') => update(() => setEndpointId(id))}
        choices={[...endpointNames(endpoints)]}
        hint="Verifies with this endpoint’s secret."
      />
      <TextArea
        label="Headers"
        rows={7}
        spellCheck={false}
        placeholder={'x-service-signature: t=…,v1=…\nwebhook-id: evt_…'}
        value={headers}
        onChange={(event) => update(() => setHeaders(event.target.value))}
        error={unread.length === 0 ? undefined : `Line ${unread.join(', ')}: enter headers as name: value.`}
        hint="One name: value per line, or JSON. Include webhook-id and x-service-delivery for a more precise result."
      />
      <BodyField body={body} onChange={(text) => update(() => setBody(text))} />
      <TextField
        label="Received at (optional)"
        type="datetime-local"
        className="max-w-64"
        value={at}
        onChange={(event) => update(() => setAt(event.target.value))}
        hint={`Time zone: ${zone}. Defaults to now.`}
      />
      {check.data && <CheckResult {...check.data} />}
    </Form>
  );
}

/** Verifies a request, and a second time without the newline that a paste may have added. */
function useCheck() {
  const verify = useOperation('webhookEndpoints.verifySignature', { quiet: true });
  return useMutation({
    gcTime: 0,
    async mutationFn(input: Input<'webhookEndpoints.verifySignature'>): Promise<CheckResultProps> {
      const server = await verify.mutateAsync(input);
      const body = withoutNewline(server, input.body);
      const onlyNewline = body !== undefined && isGenuine(await verify.mutateAsync({ ...input, body }));
      return { server, onlyNewline };
    },
  });
}
