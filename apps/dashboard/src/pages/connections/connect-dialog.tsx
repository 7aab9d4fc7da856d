import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField, TextField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { connectionName } from '../../lib/connection-names.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { ErrorOf } from '../../operation/operation-form.tsx';
import type { Connection } from './connection.view.ts';

const kinds = [
  ['sandbox', 'Sandbox: generates a year of data'],
  ['http', 'HTTP: pulled from your URL'],
  ['other', 'Other: posts its own data'],
] as const;
type Kind = (typeof kinds)[number][0];

export interface ConnectDialogProps {
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
        replaced && 'The new connection continues the disconnected one. Existing rows stay with the old connection.'
      }
      submit="Connect bank"
      done="The bank is connected."
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
        config: {
          slot: () => null,
          read: (data) => ({ value: kind === 'http' ? { url: formText(data, 'url') ?? '' } : undefined }),
        },
        institution_name: { label: 'Bank', initial: replaced?.institution_name ?? '' },
        account_name: { label: 'Account', initial: replaced?.account_name ?? '', placeholder: 'Operating' },
        account_last4: { half: true, label: 'Last 4 of account', initial: replaced?.account_last4 ?? '' },
        currency: { half: true, label: 'Currency', hint: 'For rows that have no currency.' },
        external_ref: {
          label: 'Reference',
          initial: replaced?.external_ref ?? '',
          hint: 'Your own ID of the account at the provider.',
        },
        ...(replaced === undefined && {
          replaces: {
            slot: (errorOf: ErrorOf) => <ReplacesField error={errorOf('replaces')} />,
            read: (data: FormData) => ({ value: formText(data, 'replaces') }),
          },
        }),
      }}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

interface ProviderFieldsProps {
  kind: Kind;
  onKind: (kind: Kind) => void;
  /** The name of a provider outside the list. */
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
          defaultValue={other}
          hint="Posts balances and transactions with the connection’s ID as connection_id."
          error={errorOf('provider')}
        />
      )}
      {kind === 'http' && (
        <TextField
          label="Address"
          name="url"
          type="url"
          required
          defaultValue={url}
          placeholder="https://bank.example.com/pages"
          hint="Returns balances and transactions as JSON to GET; the token is sent as a bearer token."
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
