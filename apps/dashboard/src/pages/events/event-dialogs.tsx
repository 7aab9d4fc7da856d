import { OperationDialog } from '../../operation/operation-dialog.tsx';
import { useEndpointUrls } from './event-deliveries.tsx';

interface EventDialogProps {
  eventId: string;
  onClose: () => void;
}

export function DeleteEvidenceDialog({ eventId, onClose }: EventDialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="events.purgeEvidence"
      title="Delete the evidence of this event?"
      submit="Delete evidence"
      danger
      done="Evidence deleted."
      fixed={{ event_id: eventId }}
      onClose={onClose}
    >
      <p>
        Headers, response bodies, urls and addresses of every attempt to deliver this event are deleted, for all
        endpoints. This can’t be undone.
      </p>
      <p>The event, its deliveries and the outcome of each attempt are kept. Later attempts are recorded as usual.</p>
    </OperationDialog>
  );
}

export function RedeliverDialog({ eventId, onClose }: EventDialogProps): React.JSX.Element {
  const urls = useEndpointUrls();
  return (
    <OperationDialog
      operation="events.redeliver"
      title="Redeliver this event"
      description="Sends the event again with the same ID, as a new delivery with its own retry schedule."
      submit="Redeliver event"
      done={({ data }) =>
        data.length === 1 ? 'Sent again to one endpoint.' : `Sent again to ${data.length} endpoints.`
      }
      fixed={{ event_id: eventId }}
      fields={{
        endpoint_id: { label: 'To', none: 'Every endpoint that is subscribed now', choices: [...urls] },
      }}
      onClose={onClose}
    />
  );
}
