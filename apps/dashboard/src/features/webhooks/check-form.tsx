import { useRef, useState } from 'react';
import { useOperation } from '../../operation/use-operation.ts';
import { useSession } from '../../session/use-session.ts';
import { useZone } from '../../shell/company-context.ts';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { instantOf, localOf } from '../../ui/zoned-time.ts';
import { endpointNames } from './attempt.view.ts';
import { BodyField } from './body-field.tsx';
import { CheckResult } from './check-result.tsx';
import { checkWithSecret, type SecretCheck } from './check-secret.view.ts';
import { readHeaderText } from './header-text.view.ts';
import { isGenuine, type Verification, withoutNewline } from './signature-verdict.view.ts';
import { useEndpoints } from './use-endpoints.ts';

/** What a check begins with when it is of a delivery. */
export interface CheckStart {
  endpointId: string;
  headers: string;
  body: string;
  /** When it was sent. */
  at: string;
}

interface Checked {
  server: Verification | undefined;
  local: SecretCheck | undefined;
  /** Without the newline at the end of the body all would be right. */
  onlyNewline: boolean;
}

/** The request as received, the endpoint or the secret, and the verdict. The secret is kept in this component only. */
export function CheckForm({ start }: { start?: CheckStart }): React.JSX.Element {
  const zone = useZone();
  const { role } = useSession();
  const [endpointId, setEndpointId] = useState(start?.endpointId ?? '');
  const [secret, setSecret] = useState('');
  const [headers, setHeaders] = useState(start?.headers ?? '');
  const [body, setBody] = useState(start?.body ?? '');
  const [at, setAt] = useState(start ? localOf(start.at, zone) : '');
  const { check, busy, error, checked, forget } = useCheck();
  const mayAskService = role !== 'viewer';
  const { unread } = readHeaderText(headers);
  // A verdict stands for what it was asked about.
  const put = (set: () => void): void => {
    set();
    forget();
  };
  return (
    <Form
      submit="Check signature"
      busy={busy}
      error={error}
      onSubmit={() => check({ endpointId, secret, headers, body, at: at === '' ? undefined : instantOf(at, zone) })}
    >
      <div className="grid gap-4 lg:grid-cols-2">
        {mayAskService && <EndpointChoice value={endpointId} onChange={(id) => put(() => setEndpointId(id))} />}
        <TextField
          label="Secret of your server (optional)"
          type="password"
          autoComplete="off"
          placeholder="whsec_…"
          spellCheck={false}
          value={secret}
          onChange={(event) => put(() => setSecret(event.target.value))}
          hint="Used only in this browser. Never sent."
        />
      </div>
      <TextArea
        label="Headers"
        rows={7}
        spellCheck={false}
        placeholder={'x-service-signature: t=…,v1=…\nwebhook-id: evt_…'}
        value={headers}
        onChange={(event) => put(() => setHeaders(event.target.value))}
        error={unread.length === 0 ? undefined : `No header stands in line ${unread.join(', ')}.`}
        hint="One per line as name: value, or as JSON. Include webhook-id and x-service-delivery for a better diagnosis."
      />
      <BodyField body={body} onChange={(text) => put(() => setBody(text))} />
      <TextField
        label="Received at (optional)"
        type="datetime-local"
        className="max-w-64"
        value={at}
        onChange={(event) => put(() => setAt(event.target.value))}
        hint={`Time zone: ${zone}. Defaults to now.`}
      />
      {checked && <CheckResult {...checked} />}
    </Form>
  );
}

function EndpointChoice({ value, onChange }: { value: string; onChange: (id: string) => void }): React.JSX.Element {
  const endpoints = useEndpoints();
  return (
    <SelectField
      label="Endpoint"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint="Checks with this endpoint’s secret and the body that was sent."
    >
      <option value="">None: use the secret only</option>
      {[...endpointNames(endpoints.data?.data ?? [])].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

interface Given {
  endpointId: string;
  secret: string;
  headers: string;
  body: string;
  at: string | undefined;
}

function useCheck() {
  const verify = useOperation('webhookEndpoints.verifySignature', {
    quiet: true,
  });
  const [checked, setChecked] = useState<Checked>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  // What was changed while a check was under way makes its verdict one about something else.
  const turn = useRef(0);
  async function run({ endpointId, secret, headers: text, body, at }: Given): Promise<Checked> {
    const { headers } = readHeaderText(text);
    if (endpointId === '' && secret === '') throw new Error('Choose an endpoint, paste a secret, or both.');
    const received = at === undefined ? Date.now() : Date.parse(at);
    const local = secret === '' ? undefined : await checkWithSecret({ headers, body, secret, at: received });
    if (endpointId === '') return { server: undefined, local, onlyNewline: false };
    const asked = { endpoint_id: endpointId, headers, body, ...(at !== undefined && { at }) };
    const server = await verify.mutateAsync(asked);
    const shorter = withoutNewline(server, body);
    const onlyNewline = shorter !== undefined && isGenuine(await verify.mutateAsync({ ...asked, body: shorter }));
    return { server, local, onlyNewline };
  }
  return {
    busy,
    error,
    checked,
    forget: (): void => {
      turn.current += 1;
      setChecked(undefined);
      setError(undefined);
    },
    check: (given: Given): void => {
      turn.current += 1;
      const mine = turn.current;
      const mineStill = (): boolean => mine === turn.current;
      setBusy(true);
      setError(undefined);
      run(given)
        .then(
          (result) => mineStill() && setChecked(result),
          (refusal: unknown) => mineStill() && setError(refusal),
        )
        .finally(() => setBusy(false));
    },
  };
}
