import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ClipboardEvent, useState } from 'react';
import { Badge, sentenceCase } from '../../../components/badge.tsx';
import { TextArea, TextField } from '../../../components/field.tsx';
import { FilterChoice } from '../../../components/filter-bar.tsx';
import { Form } from '../../../components/form.tsx';
import { Panel } from '../../../components/page.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Loading } from '../../../components/states.tsx';
import { Instant } from '../../../components/time.tsx';
import { type Input, useTRPC } from '../../../lib/trpc.ts';
import { useSession } from '../../../lib/use-session.ts';
import { instantOf, localOf } from '../../../lib/zoned-time.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { endpointNames, headerLines } from './attempt.view.ts';
import {
  describeBody,
  isGenuine,
  readHeaderText,
  type Verification,
  verdictOf,
  withoutNewline,
} from './signature-check.view.ts';
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

type Scheme = Verification['schemes'][number];

interface CheckResultProps {
  server: Verification;
  onlyNewline: boolean;
}

function CheckResult({ server, onlyNewline }: CheckResultProps): React.JSX.Element {
  const verdict = verdictOf(server, onlyNewline);
  const look = verdict.valid ? 'border-good bg-good-soft text-good' : 'border-bad bg-bad-soft text-bad';
  return (
    <section aria-label="Result" className="flex flex-col gap-3">
      <div role="status" className={`rounded-md border p-4 ${look}`}>
        <p className="font-semibold">{verdict.title}</p>
        <p className="mt-1 text-sm">{verdict.hint}</p>
      </div>
      <ServerFindings server={server} />
    </section>
  );
}

function ServerFindings({ server }: { server: Verification }): React.JSX.Element {
  return (
    <>
      <SimpleTable
        label="Signature headers"
        rows={server.schemes}
        keyOf={({ header }) => header}
        empty={null}
        columns={[
          { title: 'Header', cell: ({ header }) => <code>{header}</code> },
          { title: 'Result', cell: (scheme) => <SchemeVerdict scheme={scheme} /> },
          {
            title: 'Signed at',
            wide: true,
            cell: ({ signed_at: at }) => (at === null ? '–' : <Instant at={at} seconds />),
          },
          { title: 'Secret', wide: true, cell: ({ secret }) => (secret === null ? '–' : sentenceCase(secret)) },
        ]}
      />
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        {server.event_id !== null && (
          <Link to="/events/$eventId" params={{ eventId: server.event_id }} className="text-accent underline">
            View event
          </Link>
        )}
        {server.delivery_id !== null && (
          <Link
            to="/settings/webhooks"
            search={{ tab: 'deliveries', delivery: server.delivery_id }}
            className="text-accent underline"
          >
            View delivery
          </Link>
        )}
        {server.sent_to_endpoint_id !== null && server.sent_to_endpoint_id !== server.endpoint_id && (
          <Link
            to="/settings/webhooks/$endpointId"
            params={{ endpointId: server.sent_to_endpoint_id }}
            className="text-accent underline"
          >
            View the endpoint of this delivery
          </Link>
        )}
      </p>
    </>
  );
}

function SchemeVerdict({ scheme }: { scheme: Scheme }): React.JSX.Element {
  const absent = scheme.reason === 'missing_header';
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={scheme.valid ? 'good' : absent ? 'neutral' : 'bad'}>
        {scheme.valid ? 'Valid' : absent ? 'Missing' : sentenceCase(String(scheme.reason))}
      </Badge>
      {scheme.hint !== null && !absent && <span className="text-xs text-muted">{scheme.hint}</span>}
    </div>
  );
}

/** Keeps a body byte for byte: a text field turns CRLF into LF, so a paste of the whole text is read from the clipboard. */
function BodyField({ body, onChange }: { body: string; onChange: (body: string) => void }): React.JSX.Element {
  const [error, setError] = useState<string>();
  const change = (text: string): void => {
    setError(undefined);
    onChange(text);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const text = event.clipboardData.getData('text/plain');
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (!text.includes('\r') || selectionStart !== 0 || selectionEnd !== value.length) return;
    event.preventDefault();
    change(text);
  };
  async function readFile(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      change(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()));
    } catch {
      setError('The file isn’t UTF-8. Deliveries are UTF-8, so something has re-encoded the body.');
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label="Raw body"
        rows={8}
        spellCheck={false}
        value={body}
        onPaste={paste}
        onChange={(event) => change(event.target.value)}
        error={error}
        hint="The exact bytes, before parsing. An added newline makes the signature invalid."
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-xs text-muted">
          {describeBody(body)}
        </p>
        <label className="text-xs">
          Or upload a file:{' '}
          <input
            type="file"
            className="max-w-56 text-xs"
            onChange={(event) => {
              void readFile(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </label>
      </div>
    </div>
  );
}
