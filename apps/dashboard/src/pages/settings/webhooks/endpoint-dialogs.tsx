import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { SecretOnce } from '../../../components/copy.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { changesOf, type DraftErrors, draftOf, type EndpointInput, readDraft } from './endpoint-draft.view.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import type { Endpoint } from './endpoint-health.view.ts';

export function CreateEndpointDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const navigate = useNavigate();
  const create = useOperation('webhookEndpoints.create', { quiet: true });
  const created = create.data;
  const show = (endpointId: string): void => {
    onClose();
    void navigate({ to: '/settings/webhooks/$endpointId', params: { endpointId } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      variant="side"
      stays={created !== undefined}
      title={created ? 'Endpoint created' : 'Create endpoint'}
      description={
        created ? 'Use the signing secret to verify each request on your server.' : 'A URL that receives events.'
      }
    >
      {created ? (
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
            <Button variant="primary" onClick={() => show(created.id)}>
              View endpoint
            </Button>
          </div>
        </div>
      ) : (
        <EndpointForm
          submit="Create endpoint"
          busy={create.isPending}
          error={create.error}
          onSubmit={(input) => create.mutate(input)}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

/** Sends only the changed options, so that concurrent edits of different options do not conflict. */
export function EditEndpointDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [before] = useState(endpoint);
  const update = useOperation('webhookEndpoints.update', { quiet: true, done: 'Endpoint saved.', onDone: onClose });
  return (
    <Dialog
      open
      onClose={onClose}
      variant="side"
      title="Edit endpoint"
      description="Changes apply to new events. Pending deliveries keep their payload."
    >
      <EndpointForm
        endpoint={before}
        submit="Save changes"
        busy={update.isPending}
        error={update.error}
        onCancel={onClose}
        onSubmit={(input) => update.mutate({ ...changesOf(before, input), endpoint_id: endpoint.id })}
      />
    </Dialog>
  );
}

interface EndpointFormProps {
  endpoint?: Endpoint;
  submit: string;
  busy: boolean;
  error: unknown;
  onSubmit: (input: EndpointInput) => void;
  onCancel: () => void;
}

function EndpointForm({ endpoint, error, onSubmit, ...form }: EndpointFormProps): React.JSX.Element {
  const [draft, setDraft] = useState(() => draftOf(endpoint));
  const [errors, setErrors] = useState<DraftErrors>();
  const send = (): void => {
    const read = readDraft(draft);
    setErrors('errors' in read ? read.errors : undefined);
    if ('input' in read) onSubmit(read.input);
  };
  return (
    <Form {...form} error={errors ? new Error('Check the marked fields.') : error} onSubmit={send}>
      <EndpointFields draft={draft} onChange={setDraft} errors={errors ?? {}} error={error} />
    </Form>
  );
}
