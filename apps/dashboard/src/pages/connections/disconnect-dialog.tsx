import { connectionName } from '../../lib/connection-names.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Connection } from './connection.view.ts';

export function DisconnectDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  return (
    <OperationDialog
      operation="bank.connections.disconnect"
      title={`Disconnect ${connectionName(connection)}?`}
      submit="Disconnect bank"
      danger
      done="The bank is disconnected."
      fixed={{ connection_id: connection.id }}
      fields={{ reason: {} }}
      onClose={onClose}
    >
      <p>
        Deletes the token and stops new data. Existing data stays, but the balance no longer counts as cash on hand.
        This can’t be undone: reconnecting creates a new connection that continues this one.
      </p>
    </OperationDialog>
  );
}
