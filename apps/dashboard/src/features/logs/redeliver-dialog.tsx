import { useOperation } from '../../operation/use-operation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { useEndpointUrls } from './event-deliveries.tsx';

/** Sends an event again, to every endpoint that receives it today or to one. */
export function RedeliverDialog({ eventId, onClose }: { eventId: string; onClose: () => void }): React.JSX.Element {
  const urls = useEndpointUrls();
  const redeliver = useOperation('events.redeliver', {
    quiet: true,
    done: ({ data }) => (data.length === 1 ? 'Sent again to one endpoint.' : `Sent again to ${data.length} endpoints.`),
    onDone: onClose,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Redeliver this event"
      description="Sends the event again with the same ID, as a new delivery with its own retry schedule."
    >
      <Form
        submit="Redeliver event"
        busy={redeliver.isPending}
        error={redeliver.error}
        onCancel={onClose}
        onSubmit={(data) => redeliver.mutate({ event_id: eventId, endpoint_id: formText(data, 'endpoint_id') })}
      >
        <SelectField label="To" name="endpoint_id" defaultValue="">
          <option value="">Every endpoint that is subscribed now</option>
          {[...urls].map(([id, url]) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  );
}
