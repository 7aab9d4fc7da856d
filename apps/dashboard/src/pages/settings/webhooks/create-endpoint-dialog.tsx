import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../../components/button.tsx';
import { SecretOnce } from '../../../components/copy.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { EndpointForm } from './endpoint-form.tsx';

export function CreateEndpointDialog({ open, onClose }: { open: boolean; onClose: () => void }): React.JSX.Element {
  const navigate = useNavigate();
  const create = useOperation('webhookEndpoints.create', {
    quiet: true,
  });
  const made = create.data;
  const close = (): void => {
    create.reset();
    onClose();
  };
  const show = (endpointId: string): void => {
    close();
    void navigate({ to: '/settings/webhooks/$endpointId', params: { endpointId } });
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      variant="side"
      stays={made !== undefined}
      title={made ? 'Endpoint created' : 'Create endpoint'}
      description={made ? 'Verify every request with its secret before you trust it.' : 'A URL that receives events.'}
    >
      {made ? (
        <div className="flex flex-col gap-4">
          <p className="text-sm wrap-anywhere">{made.url}</p>
          <SecretOnce secret={made.secret} label="Signing secret" />
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="quiet" onClick={close}>
              I’ve stored it
            </Button>
            <Button variant="primary" onClick={() => show(made.id)}>
              Show the endpoint
            </Button>
          </div>
        </div>
      ) : (
        <EndpointForm
          submit="Create endpoint"
          busy={create.isPending}
          error={create.error}
          onSubmit={(input) => create.mutate(input)}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}
