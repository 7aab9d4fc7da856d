import { Dialog } from '../../../components/dialog.tsx';
import { SelectField } from '../../../components/field.tsx';
import { Form, formText } from '../../../components/form.tsx';
import { useSession } from '../../../lib/use-session.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import type { ApiKey } from './keys.view.ts';
import { MintedKey } from './minted-key.tsx';
import { OwnKeyWarning } from './own-key-warning.tsx';

export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): React.JSX.Element {
  const { api_key: own } = useSession();
  const rotate = useOperation('apiKeys.rotate', {
    quiet: true,
  });
  const close = (): void => {
    rotate.reset();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      stays={rotate.data !== undefined}
      title={rotate.data ? `The new key “${rotate.data.name}”` : `Rotate “${apiKey.name}”`}
    >
      {rotate.data ? (
        <MintedKey secret={rotate.data.key} name={rotate.data.name} onClose={close} />
      ) : (
        <Form
          submit="Rotate key"
          busy={rotate.isPending}
          error={rotate.error}
          onCancel={close}
          onSubmit={(data) =>
            rotate.mutate({ key_id: apiKey.id, overlap_seconds: Number(formText(data, 'overlap_seconds') ?? 0) })
          }
        >
          <p className="text-sm">
            Creates a key with the same scope, companies, permissions and IP addresses. Both keys work until the old one
            expires.
          </p>
          {own.id === apiKey.id && (
            <OwnKeyWarning>You are signed in with this key: this session ends when the old key stops.</OwnKeyWarning>
          )}
          <SelectField label="The old key expires" name="overlap_seconds" defaultValue="86400">
            <option value="0">At once</option>
            <option value="3600">In an hour</option>
            <option value="86400">In a day</option>
            <option value="604800">In a week</option>
          </SelectField>
        </Form>
      )}
    </Dialog>
  );
}
