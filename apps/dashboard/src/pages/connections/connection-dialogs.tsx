import { connectionName } from '@finhook/contracts/connection-name';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Options, SelectField, TextField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { ErrorOf } from '../../operation/operation-form.tsx';
import type { Connection } from './connection.view.ts';

const kinds = [
  ['sandbox', 'Sandbox: generates a year of data'],
  ['http', 'HTTP: synced from a URL'],
  ['other', 'Other: posts its own data'],
] as const;
type Kind = (typeof kinds)[number][0];

interface ConnectDialogProps {
  replaced?: Connection;
  onClose: () => void;
  onDone: (connection: Connection) => void;
}

export function ConnectDialog({ replaced, onClose, onDone }: ConnectDialogProps): React.JSX.Element {
  const company = useCompany();
  const provider = replaced?.provider ?? 'sandbox';
  const [kind, setKind] = useState<Kind>(kinds.find(([id]) => id === provider)?.[0] ?? 'other');
  const isKnown = kinds.some(([id]) => id === provider);
  return (
    <OperationDialog
      operation="bank.connections.create"
      title={replaced ? `Reconnect ${connectionName(replaced)}` : 'Connect bank'}
      description={
        replaced && 'The new account continues the disconnected one. Existing data stays with the old account.'
      }
      submit="Connect bank"
      done="Bank connected."
      fixed={{ company_id: replaced?.company_id ?? company.id, ...(replaced && { replaces: replaced.id }) }}
      fields={{
        provider: {
          slot: (errorOf) => (
            <ProviderFields
              kind={kind}
              onKind={setKind}
              other={isKnown ? '' : provider}
              url={replaced?.config?.url}
              errorOf={errorOf}
            />
          ),
          read: (data) => ({ value: kind === 'other' ? formText(data, 'provider') : kind }),
        },
        institution_name: { label: 'Bank', initial: replaced?.institution_name ?? undefined },
        account_name: { label: 'Account', initial: replaced?.account_name ?? undefined, placeholder: 'Operating' },
        account_last4: { half: true, label: 'Last 4 of account', initial: replaced?.account_last4 ?? undefined },
        currency: { half: true, label: 'Currency', hint: 'Default for rows without a currency' },
        external_ref: {
          label: 'Reference',
          initial: replaced?.external_ref ?? undefined,
          hint: 'Your own ID for this account',
        },
        ...(replaced === undefined && {
          replaces: {
            slot: (errorOf: ErrorOf) => <ReplacesField error={errorOf('replaces')} />,
            read: (data: FormData) => ({ value: formText(data, 'replaces') }),
          },
        }),
        config: {
          slot: () => null,
          read: (data) => ({ value: kind === 'http' ? { url: formText(data, 'url') ?? '' } : undefined }),
        },
      }}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

interface ProviderFieldsProps {
  kind: Kind;
  onKind: (kind: Kind) => void;
  other: string;
  url: string | undefined;
  errorOf: ErrorOf;
}

function ProviderFields({ kind, onKind, other, url, errorOf }: ProviderFieldsProps): React.JSX.Element {
  return (
    <>
      <SelectField
        label="Provider"
        value={kind}
        onChange={({ target }) => onKind(kinds.find(([id]) => id === target.value)?.[0] ?? 'sandbox')}
        error={kind === 'other' ? undefined : errorOf('provider')}
      >
        <Options values={kinds} />
      </SelectField>
      {kind === 'other' && (
        <TextField
          label="Provider name"
          name="provider"
          required
          defaultValue={other}
          hint="Posts balances and transactions with this account’s ID as connection_id."
          error={errorOf('provider')}
        />
      )}
      {kind === 'http' && (
        <TextField
          label="URL"
          name="url"
          type="url"
          required
          defaultValue={url}
          placeholder="https://bank.example.com/pages"
          hint="Must return balances and transactions as JSON. We send GET requests with the token as a bearer token."
          error={errorOf('config/url')}
        />
      )}
    </>
  );
}

function ReplacesField({ error }: { error: string | undefined }): React.JSX.Element | null {
  const trpc = useTRPC();
  const company = useCompany();
  const ended = useQuery(
    trpc.bank.connections.list.queryOptions({ company_id: company.id, status: 'disconnected', limit: 200 }),
  );
  const rows = ended.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <SelectField label="Replaces" name="replaces" hint="A disconnected account that this one continues" error={error}>
      <option value="">None</option>
      <Options values={rows.map((connection) => [connection.id, connectionName(connection)])} />
    </SelectField>
  );
}

interface ConnectionDialogProps {
  connection: Connection;
  onClose: () => void;
}

/** Stores or replaces the provider's token. The page discards it once it is sent. */
export function TokenDialog({ connection, onClose }: ConnectionDialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="bank.connections.setSecret"
      title={connection.has_secret ? 'Replace token' : 'Store token'}
      description={`For ${connectionName(connection)}. Stored encrypted and never shown again.`}
      submit="Store token"
      done="Token stored."
      fixed={{ connection_id: connection.id }}
      fields={{
        secret: {
          label: 'Provider token',
          type: 'password',
          hint: connection.provider === 'sandbox' ? 'The sandbox accepts any text' : 'As issued by the provider',
        },
      }}
      onClose={onClose}
    />
  );
}

export function DisconnectDialog({ connection, onClose }: ConnectionDialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="bank.connections.disconnect"
      title={`Disconnect ${connectionName(connection)}?`}
      submit="Disconnect bank"
      danger
      done="Bank disconnected."
      fixed={{ connection_id: connection.id }}
      fields={{ reason: {} }}
      onClose={onClose}
    >
      <p>
        Deletes the token and stops new data. Existing data stays, but the balance no longer counts as cash on hand.
        This can’t be undone: reconnecting creates a new account that continues this one.
      </p>
    </OperationDialog>
  );
}
