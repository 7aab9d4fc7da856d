import { useMutation, useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, useState } from 'react';
import { DateField } from '../../../components/date-field.tsx';
import { TextArea } from '../../../components/field.tsx';
import { FilterChoice } from '../../../components/filter-bar.tsx';
import { Form } from '../../../components/form.tsx';
import { Panel } from '../../../components/page.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { Loading } from '../../../components/states.tsx';
import { isFirstRead } from '../../../lib/first-read.ts';
import { plural } from '../../../lib/text.ts';
import { type Input, useTRPC } from '../../../lib/trpc.ts';
import { useSession } from '../../../lib/use-session.ts';
import { instantOf, localOf } from '../../../lib/zoned-time.ts';
import { KeepEdits } from '../../../operation/keep-edits.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { endpointNames, headerLines } from './attempt.view.ts';
import { CheckResult, type CheckResultProps, isGenuine, withoutNewline } from './signature-result.tsx';
import { useEndpoints } from './use-endpoints.ts';

interface Draft {
  endpointId: string;
  headers: string;
  body: string;
  /** Local time; empty for now. */
  at: string;
}

const empty: Draft = { endpointId: '', headers: '', body: '', at: '' };

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
        <p className="text-sm">Read keys can’t verify signatures. Sign in with a key that has the human scope.</p>
      ) : given.isLoading ? (
        <Loading label="Loading the delivery" lines={5} />
      ) : (
        <KeepEdits of={deliveryId} value={given.start}>
          {/* The event may be read after the delivery. */}
          {(start) => <CheckForm key={`${start === empty ? 'own' : deliveryId} ${start.body === ''}`} start={start} />}
        </KeepEdits>
      )}
    </Panel>
  );
}

function useDelivered(deliveryId: string | undefined): { start: Draft; isLoading: boolean } {
  const trpc = useTRPC();
  const zone = useZone();
  const delivery = useQuery(
    trpc.deliveries.get.queryOptions({ delivery_id: deliveryId ?? '' }, { enabled: deliveryId !== undefined }),
  );
  const event = useQuery(
    trpc.events.get.queryOptions(
      { event_id: delivery.data?.event_id ?? '' },
      { enabled: delivery.data !== undefined, retry: false },
    ),
  );
  const isLoading = isFirstRead(delivery) || isFirstRead(event);
  const attempt = delivery.data?.attempts.at(-1);
  if (isLoading || !delivery.data || !attempt) return { start: empty, isLoading };
  const start = {
    endpointId: delivery.data.endpoint_id,
    headers: headerLines(attempt.request_headers ?? {}),
    body: event.data === undefined ? '' : JSON.stringify(event.data),
    at: localOf(attempt.at, zone),
  };
  return { start, isLoading };
}

function CheckForm({ start }: { start: Draft }): React.JSX.Element {
  const zone = useZone();
  const [draft, setDraft] = useState(start);
  const endpoints = useEndpoints().data?.data ?? [];
  const check = useCheck();
  const { headers, unread } = readHeaderText(draft.headers);
  const set = (part: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    check.reset();
  };
  const at = draft.at === '' ? undefined : instantOf(draft.at, zone);
  return (
    <Form
      submit="Verify signature"
      busy={check.isPending}
      error={check.error}
      onSubmit={() =>
        check.mutate({ endpoint_id: draft.endpointId, headers, body: draft.body, ...(at !== undefined && { at }) })
      }
    >
      <FilterChoice
        label="Endpoint"
        required
        none="Choose an endpoint"
        value={draft.endpointId}
        onChange={(endpointId = '') => set({ endpointId })}
        choices={[...endpointNames(endpoints)]}
        hint="Verifies with this endpoint’s secret."
      />
      <TextArea
        label="Headers"
        rows={7}
        spellCheck={false}
        placeholder={'x-service-signature: t=…,v1=…\nwebhook-id: evt_…'}
        value={draft.headers}
        onChange={(event) => set({ headers: event.target.value })}
        error={unread.length === 0 ? undefined : `Line ${unread.join(', ')}: enter headers as name: value.`}
        hint="One name: value per line, or JSON. Include webhook-id and x-service-delivery for a more precise result."
      />
      <BodyField body={draft.body} onChange={(body) => set({ body })} />
      <DateField
        label="Received at (optional)"
        time
        className="max-w-64"
        value={draft.at}
        onChange={(time = '') => set({ at: time })}
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

type ReceivedHeaders = Record<string, string | string[]>;

function add(headers: ReceivedHeaders, name: string, value: string): void {
  const key = name.trim().toLowerCase();
  const before = headers[key];
  headers[key] = before === undefined ? value.trim() : [before, value.trim()].flat();
}

function readJson(text: string): ReceivedHeaders | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const headers: ReceivedHeaders = {};
    for (const [name, given] of Object.entries(value)) {
      const values: readonly unknown[] = Array.isArray(given) ? given : [given];
      for (const part of values) add(headers, name, typeof part === 'string' ? part : JSON.stringify(part));
    }
    return headers;
  } catch {
    return undefined;
  }
}

/** Strips curl's `-H 'name: value' \` down to `name: value`; returns other lines unchanged. */
function bare(line: string): string {
  const [, , quoted] = /^\s*(?:-H|--header)\s+(['"])(.*)\1\s*\\?\s*$/.exec(line) ?? [];
  return quoted ?? line;
}

/** Parses `name: value` lines, curl options or a JSON object. `unread` lists invalid lines, from 1. */
export function readHeaderText(text: string): { headers: ReceivedHeaders; unread: number[] } {
  const json = text.trim().startsWith('{') ? readJson(text) : undefined;
  if (json) return { headers: json, unread: [] };
  const headers: ReceivedHeaders = {};
  const unread: number[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || /^(GET|POST|PUT) \S+ HTTP\//.test(line.trim())) continue;
    const [, name, value] = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s?(.*)$/.exec(bare(line)) ?? [];
    if (name === undefined || value === undefined) unread.push(i + 1);
    else add(headers, name, value);
  }
  return { headers, unread };
}

const encoder = new TextEncoder();

export function describeBody(body: string): string {
  if (body === '') return 'Empty';
  const size = encoder.encode(body).length;
  const bytes = plural(size, 'byte');
  const end = body.endsWith('\n') ? 'trailing newline' : 'no trailing newline';
  return `${bytes}, ${end}${body.includes('\r\n') ? ', CRLF line endings' : ''}`;
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
