import { connectionName } from '../../data/connection-name.ts';
import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { formText } from '../../ui/form.tsx';
import type { Connection } from './connection.view.ts';

/** Asks before a connection is ended for good. */
export function DisconnectDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const disconnect = useOperation('bank.connections.disconnect', {
    done: 'The bank is disconnected.',
    quiet: true,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disconnect ${connectionName(connection)}?`}
      confirm="Disconnect bank"
      danger
      busy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={(data) => disconnect.mutate({ connection_id: connection.id, reason: formText(data, 'reason') })}
    >
      <p>
        Deletes the token and stops new data. Existing data stays, but the balance no longer counts as cash on hand.
        This can’t be undone: reconnecting creates a new connection that continues this one.
      </p>
      <TextField label="Reason" name="reason" error={fieldError(disconnect.error, 'reason')} />
    </ConfirmDialog>
  );
}
