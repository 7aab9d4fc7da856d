import { Dialog } from '../../../components/dialog.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import type { EndpointDialogProps } from './endpoint-dialog-props.ts';
import { changesOf } from './endpoint-draft.view.ts';
import { EndpointForm } from './endpoint-form.tsx';

/** Sends only the changed options, so that concurrent edits of different options do not conflict. */
export function EditEndpointDialog({ endpoint, open, onClose }: EndpointDialogProps): React.JSX.Element {
  const update = useOperation('webhookEndpoints.update', {
    quiet: true,
    done: 'Endpoint saved.',
    onDone: onClose,
  });
  const close = (): void => {
    update.reset();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      variant="side"
      title="Edit endpoint"
      description="Applies to new events. Deliveries already due keep their payload."
    >
      <EndpointForm
        endpoint={endpoint}
        submit="Save changes"
        busy={update.isPending}
        error={update.error}
        onCancel={close}
        onSubmit={(input, before = endpoint) =>
          update.mutate({ ...changesOf(before, input), endpoint_id: endpoint.id })
        }
      />
    </Dialog>
  );
}
