import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionName } from '../../data/connection-name.ts';
import { fieldError } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useCompany } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import type { Connection } from './connection.view.ts';

const kinds = [
  ['sandbox', 'Sandbox: generates a year of data'],
  ['http', 'HTTP: pulled from your URL'],
  ['other', 'Other: posts its own data'],
] as const;
type Kind = (typeof kinds)[number][0];

export interface ConnectDialogProps {
  /** The disconnected connection that the new one continues. */
  replaced?: Connection;
  onClose: () => void;
  onDone: (connection: Connection) => void;
}

/** Connects a bank provider to the company; its token is stored afterwards. */
export function ConnectDialog({ replaced, onClose, onDone }: ConnectDialogProps): React.JSX.Element {
  const company = useCompany();
  const provider = replaced?.provider ?? 'sandbox';
  const [kind, setKind] = useState<Kind>(kinds.find(([id]) => id === provider)?.[0] ?? 'other');
  const create = useOperation('bank.connections.create', {
    done: 'The bank is connected.',
    quiet: true,
    onDone(connection) {
      onClose();
      onDone(connection);
    },
  });
  const { error } = create;
  function submit(data: FormData): void {
    create.mutate({
      company_id: replaced?.company_id ?? company.id,
      provider: kind === 'other' ? (formText(data, 'provider') ?? '') : kind,
      institution_name: formText(data, 'institution_name'),
      account_name: formText(data, 'account_name'),
      account_last4: formText(data, 'account_last4'),
      currency: formText(data, 'currency'),
      external_ref: formText(data, 'external_ref'),
      config: kind === 'http' ? { url: formText(data, 'url') ?? '' } : undefined,
      replaces: replaced?.id ?? formText(data, 'replaces'),
    });
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={replaced ? `Reconnect ${connectionName(replaced)}` : 'Connect bank'}
      description={
        replaced ? 'A new connection continues the one that ended. The old rows stay with the old one.' : undefined
      }
    >
      <Form submit="Connect bank" busy={create.isPending} error={error} onSubmit={submit} onCancel={onClose}>
        <SelectField
          label="Provider"
          value={kind}
          onChange={({ target }) => setKind(kinds.find(([id]) => id === target.value)?.[0] ?? 'sandbox')}
          error={kind === 'other' ? undefined : fieldError(error, 'provider')}
        >
          {kinds.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
        {kind === 'other' && (
          <TextField
            label="Name of the provider"
            name="provider"
            required
            defaultValue={kinds.some(([id]) => id === provider) ? '' : provider}
            hint="It posts balances and transactions with the connection’s id as connection_id."
            error={fieldError(error, 'provider')}
          />
        )}
        {kind === 'http' && (
          <TextField
            label="Address"
            name="url"
            type="url"
            required
            defaultValue={replaced?.config?.url}
            placeholder="https://bank.example.com/pages"
            hint="Answers GET with balances and transactions as JSON; the token is sent as bearer."
            error={fieldError(error, 'config/url')}
          />
        )}
        <AccountInputs connection={replaced} currency={company.base_currency} error={error} />
        {replaced === undefined && <ReplacesField error={fieldError(error, 'replaces')} />}
      </Form>
    </Dialog>
  );
}

interface AccountInputsProps {
  connection: Connection | undefined;
  currency: string;
  error: unknown;
}

function AccountInputs({ connection, currency, error }: AccountInputsProps): React.JSX.Element {
  return (
    <>
      <TextField
        label="Bank"
        name="institution_name"
        defaultValue={connection?.institution_name ?? ''}
        error={fieldError(error, 'institution_name')}
      />
      <TextField
        label="Account"
        name="account_name"
        defaultValue={connection?.account_name ?? ''}
        placeholder="Operating"
        error={fieldError(error, 'account_name')}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Last 4 of account"
          name="account_last4"
          inputMode="numeric"
          maxLength={4}
          defaultValue={connection?.account_last4 ?? ''}
          error={fieldError(error, 'account_last4')}
        />
        <TextField
          label="Currency"
          name="currency"
          maxLength={3}
          defaultValue={connection?.currency ?? currency}
          hint="For rows that name none."
          error={fieldError(error, 'currency')}
        />
      </div>
      <TextField
        label="Reference"
        name="external_ref"
        defaultValue={connection?.external_ref ?? ''}
        hint="Your own id of the account at the provider."
        error={fieldError(error, 'external_ref')}
      />
    </>
  );
}

/** Which ended connection the new one continues; nothing where none has ended. */
function ReplacesField({ error }: { error: string | undefined }): React.JSX.Element | null {
  const trpc = useTRPC();
  const company = useCompany();
  const ended = useQuery(
    trpc.bank.connections.list.queryOptions({ company_id: company.id, status: 'disconnected', limit: 200 }),
  );
  const rows = ended.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <SelectField label="Continues" name="replaces" hint="A connection that was disconnected." error={error}>
      <option value="">None</option>
      {rows.map((connection) => (
        <option key={connection.id} value={connection.id}>
          {connectionName(connection)}
        </option>
      ))}
    </SelectField>
  );
}
