import { connectionName } from '../../lib/connection-names.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Connection } from './connection.view.ts';

/** Stores or replaces the provider's token. The page discards it once it is sent. */
export function TokenDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  return (
    <OperationDialog
      operation="bank.connections.setSecret"
      title={connection.has_secret ? 'Replace token' : 'Store token'}
      description={`For ${connectionName(connection)}. Stored encrypted and never shown again.`}
      submit="Store token"
      done="The token is stored."
      fixed={{ connection_id: connection.id }}
      fields={{
        secret: {
          label: 'Token of the provider',
          type: 'password',
          hint: connection.provider === 'sandbox' ? 'The sandbox accepts any text.' : 'As issued by the provider.',
        },
      }}
      onClose={onClose}
    />
  );
}
