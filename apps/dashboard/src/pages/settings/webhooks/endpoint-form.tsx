import { useState } from 'react';
import { Form } from '../../../components/form.tsx';
import { type DraftFaults, draftOf, type EndpointInput, readDraft } from './endpoint-draft.view.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import type { Endpoint } from './endpoint-health.view.ts';

export interface EndpointFormProps {
  endpoint?: Endpoint;
  submit: string;
  busy: boolean;
  error: unknown;
  /** `before` is the endpoint at the time the form opened, regardless of later changes. */
  onSubmit: (input: EndpointInput, before: Endpoint | undefined) => void;
  onCancel: () => void;
}

const UNREAD = 'Some options are invalid. See the marked fields.';

export function EndpointForm({
  endpoint,
  submit,
  busy,
  error,
  onSubmit,
  onCancel,
}: EndpointFormProps): React.JSX.Element {
  const [before] = useState(endpoint);
  const [draft, setDraft] = useState(() => draftOf(before));
  const [unread, setUnread] = useState<{ faults: DraftFaults; error: Error }>();
  const send = (): void => {
    const read = readDraft(draft);
    setUnread('faults' in read ? { faults: read.faults, error: new Error(UNREAD) } : undefined);
    if ('input' in read) onSubmit(read.input, before);
  };
  return (
    <Form submit={submit} busy={busy} error={unread?.error ?? error} onSubmit={send} onCancel={onCancel}>
      <EndpointFields draft={draft} onChange={setDraft} faults={unread?.faults ?? {}} error={error} />
    </Form>
  );
}
