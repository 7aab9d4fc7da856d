import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { SecretOnce } from '../../../components/copy.tsx';
import { ConfirmDialog, Dialog } from '../../../components/dialog.tsx';
import { SelectField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { Instant } from '../../../components/time.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import type { EndpointDialogProps } from './endpoint-dialog-props.ts';

const overlaps = [
  [86_400, 'One day'],
  [3_600, 'One hour'],
  [259_200, 'Three days'],
  [604_800, 'Seven days'],
  [0, 'None: the old secret ends now, because it has leaked'],
] as const;

/** Rotates the secret and shows the new one once; the old one also signs until the overlap ends. */
export function RotateSecretDialog({ endpoint, open, onClose }: EndpointDialogProps): React.JSX.Element {
  const [overlap, setOverlap] = useState<number>(86_400);
  const rotate = useOperation('webhookEndpoints.rotateSecret', { quiet: true });
  const rotated = rotate.data;
  const close = (): void => {
    rotate.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} stays title={rotated ? 'The secret is rotated' : 'Rotate the secret'}>
      {rotated ? (
        <div className="flex flex-col gap-4 text-sm">
          <SecretOnce secret={rotated.secret} label="New signing secret" />
          {rotated.rotation_ends_at === null ? (
            <p>The old secret signs nothing any more. Store the new one in your server now.</p>
          ) : (
            <p>
              Let your server accept both secrets, and complete the rotation when it does. The old one signs too until{' '}
              <Instant at={rotated.rotation_ends_at} seconds />.
            </p>
          )}
          <div className="flex justify-end">
            <Button variant="primary" onClick={close}>
              I’ve stored it
            </Button>
          </div>
        </div>
      ) : (
        <Form
          submit="Rotate secret"
          busy={rotate.isPending}
          error={rotate.error}
          danger={overlap === 0}
          onCancel={close}
          onSubmit={() => rotate.mutate({ endpoint_id: endpoint.id, overlap_seconds: overlap })}
        >
          <p className="text-sm">
            During the overlap every delivery verifies with the old secret and with the new one, so that nothing is
            refused while your server changes over.
          </p>
          <SelectField
            label="Overlap"
            value={String(overlap)}
            onChange={(event) => setOverlap(Number(event.target.value))}
          >
            {overlaps.map(([seconds, label]) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </SelectField>
        </Form>
      )}
    </Dialog>
  );
}

export function CompleteRotationDialog({ endpoint, open, onClose }: EndpointDialogProps): React.JSX.Element {
  const complete = useOperation('webhookEndpoints.completeRotation', {
    quiet: true,
    done: 'The rotation is complete: only the new secret signs.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Complete the rotation?"
      confirm="Complete rotation"
      busy={complete.isPending}
      error={complete.error}
      onConfirm={() => complete.mutate({ endpoint_id: endpoint.id })}
    >
      <p>
        From now on only the new secret signs. Confirm once your server has it.
        {endpoint.rotation_ends_at !== null && (
          <>
            {' '}
            Otherwise the previous secret expires at <Instant at={endpoint.rotation_ends_at} seconds />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
