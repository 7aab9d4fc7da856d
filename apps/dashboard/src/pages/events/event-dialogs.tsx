import { plural } from '../../lib/text.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import { useEndpointNames } from './event-deliveries.tsx';

interface EventDialogProps {
  eventId: string;
  onClose: () => void;
}

export function DeleteEvidenceDialog({ eventId, onClose }: EventDialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="events.purgeEvidence"
      title="Delete the stored request and responses of this event?"
      submit="Delete stored request and responses"
      danger
      done="Stored request and responses deleted."
      fixed={{ event_id: eventId }}
      onClose={onClose}
    >
      <p>
        Deletes the headers, response bodies, URLs and IP addresses of all delivery attempts of this event, for all
        endpoints. This can’t be undone.
      </p>
      <p>The event, its deliveries and the outcome of each attempt are kept. Later attempts are recorded.</p>
    </OperationDialog>
  );
}

export function RedeliverDialog({ eventId, onClose }: EventDialogProps): React.JSX.Element {
  const names = useEndpointNames();
  return (
    <OperationDialog
      operation="events.redeliver"
      title="Redeliver this event"
      description="Sends the event again with the same ID, as a new delivery with a new retry schedule."
      submit="Redeliver event"
      done={({ data }) => `Event redelivered to ${plural(data.length, 'endpoint')}.`}
      fixed={{ event_id: eventId }}
      fields={{
        endpoint_id: { label: 'Endpoint', none: 'All subscribed endpoints', choices: [...names] },
      }}
      onClose={onClose}
    />
  );
}
