import { Ago } from '../../../components/time.tsx';
import { useSession } from '../../../lib/use-session.ts';
import { OperationDialog } from '../../../operation/operation-dialog.tsx';
import type { ApiKey } from './keys.view.ts';
import { OwnKeyWarning } from './own-key-warning.tsx';

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): React.JSX.Element {
  const { api_key: own } = useSession();
  return (
    <OperationDialog
      operation="apiKeys.revoke"
      title={`Revoke “${apiKey.name}”?`}
      submit="Revoke key"
      danger
      done={`The key “${apiKey.name}” is revoked.`}
      fixed={{ key_id: apiKey.id }}
      fields={{ reason: { hint: 'Included in the api_key.revoked event.' } }}
      onClose={onClose}
    >
      <p>The key and every session opened with it stop working within a second. This can’t be undone.</p>
      <p>
        {apiKey.last_used_at === null ? (
          'Never used.'
        ) : (
          <>
            Last used <Ago at={apiKey.last_used_at} />
            {apiKey.last_used_ip !== null && ` from ${apiKey.last_used_ip}`}.
          </>
        )}
      </p>
      {own.id === apiKey.id && (
        <OwnKeyWarning>You are signed in with this key: revoking it signs you out at once.</OwnKeyWarning>
      )}
    </OperationDialog>
  );
}
