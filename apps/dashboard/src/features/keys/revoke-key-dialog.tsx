import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useSession } from '../../session/use-session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { formText } from '../../ui/form.tsx';
import { Ago } from '../../ui/time.tsx';
import type { ApiKey } from './keys.view.ts';
import { OwnKeyWarning } from './own-key-warning.tsx';

/** Asks before a key is ended, with when it was last needed and a place for the reason. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): React.JSX.Element {
  const { api_key: own } = useSession();
  const revoke = useOperation('apiKeys.revoke', {
    quiet: true,
    done: `The key “${apiKey.name}” is revoked.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      confirm="Revoke key"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={(data) => revoke.mutate({ key_id: apiKey.id, reason: formText(data, 'reason') })}
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
      <TextField
        label="Reason"
        name="reason"
        maxLength={500}
        hint="Optional. Included in the api_key.revoked event."
        error={fieldError(revoke.error, 'reason')}
      />
    </ConfirmDialog>
  );
}
