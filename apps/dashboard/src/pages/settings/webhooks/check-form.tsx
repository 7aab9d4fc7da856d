import { useRef, useState } from 'react';
import { SelectField, TextArea, TextField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { instantOf, localOf } from '../../../lib/zoned-time.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { endpointNames } from './attempt.view.ts';
import { BodyField } from './body-field.tsx';
import { CheckResult, type CheckResultProps } from './check-result.tsx';
import { readHeaderText } from './header-text.view.ts';
import { isGenuine, withoutNewline } from './signature-verdict.view.ts';
import { useEndpoints } from './use-endpoints.ts';

export interface CheckStart {
  endpointId: string;
  headers: string;
  body: string;
  at: string;
}

export function CheckForm({ start }: { start?: CheckStart }): React.JSX.Element {
  const zone = useZone();
  const [endpointId, setEndpointId] = useState(start?.endpointId ?? '');
  const [headers, setHeaders] = useState(start?.headers ?? '');
  const [body, setBody] = useState(start?.body ?? '');
  const [at, setAt] = useState(start ? localOf(start.at, zone) : '');
  const { check, busy, error, checked, forget } = useCheck();
  const { unread } = readHeaderText(headers);
  // A verdict is valid only for the values that were checked.
  const put = (set: () => void): void => {
    set();
    forget();
  };
  return (
    <Form
      submit="Check signature"
      busy={busy}
      error={error}
      onSubmit={() => check({ endpointId, headers, body, at: at === '' ? undefined : instantOf(at, zone) })}
    >
      <EndpointChoice value={endpointId} onChange={(id) => put(() => setEndpointId(id))} />
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
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint="Checks with this endpoint’s secret and the body that was sent."
    >
      <option value="">Choose an endpoint</option>
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
  headers: string;
  body: string;
  at: string | undefined;
}

function useCheck() {
  const verify = useOperation('webhookEndpoints.verifySignature', {
    quiet: true,
  });
  const [checked, setChecked] = useState<CheckResultProps>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  // A response is discarded if the form changed while the check was in flight.
  const turn = useRef(0);
  async function run({ endpointId, headers: text, body, at }: Given): Promise<CheckResultProps> {
    const { headers } = readHeaderText(text);
    const asked = { endpoint_id: endpointId, headers, body, ...(at !== undefined && { at }) };
    const server = await verify.mutateAsync(asked);
    const shorter = withoutNewline(server, body);
    const onlyNewline = shorter !== undefined && isGenuine(await verify.mutateAsync({ ...asked, body: shorter }));
    return { server, onlyNewline };
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
