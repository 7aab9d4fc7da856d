import { useOperation } from '../../operation/use-operation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks before the evidence of an event's deliveries is deleted. */
export function DeleteEvidenceDialog({
  eventId,
  onClose,
}: {
  eventId: string;
  onClose: () => void;
}): React.JSX.Element {
  const purge = useOperation('events.purgeEvidence', {
    quiet: true,
    done: 'Evidence deleted.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete the evidence of this event?"
      confirm="Delete evidence"
      danger
      busy={purge.isPending}
      error={purge.error}
      onConfirm={() => purge.mutate({ event_id: eventId })}
    >
      <p>
        Headers, response bodies, urls and addresses of every attempt to deliver this event are deleted, for all
        endpoints. This can’t be undone.
      </p>
      <p>The event, its deliveries and the outcome of each attempt are kept. Later attempts are recorded as usual.</p>
    </ConfirmDialog>
  );
}
