import { useRef } from 'react';
import { connectionName } from '../../data/connection-name.ts';
import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { Connection } from './connection.view.ts';

/** Stores the provider's token or puts another in its place. The page forgets it as soon as it is sent. */
export function TokenDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const store = useOperation('bank.connections.setSecret', {
    done: 'The token is stored.',
    quiet: true,
    onDone() {
      if (field.current) field.current.value = '';
      store.reset();
      onClose();
    },
  });
  function submit(data: FormData): void {
    const secret = data.get('secret');
    store.mutate({ connection_id: connection.id, secret: typeof secret === 'string' ? secret.trim() : '' });
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={connection.has_secret ? 'Replace token' : 'Store token'}
      description={`For ${connectionName(connection)}. Stored encrypted and never shown again.`}
    >
      <Form submit="Store token" busy={store.isPending} error={store.error} onSubmit={submit} onCancel={onClose}>
        <TextField
          ref={field}
          label="Token of the provider"
          name="secret"
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          hint={connection.provider === 'sandbox' ? 'The sandbox takes any text.' : 'As the provider gave it to you.'}
          error={fieldError(store.error, 'secret')}
        />
      </Form>
    </Dialog>
  );
}
