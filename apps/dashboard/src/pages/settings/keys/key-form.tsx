import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { OLDER_COMPANIES } from '../../../components/company-choice.tsx';
import { CheckField, Options, SelectField, TextField } from '../../../components/field.tsx';
import { Fold } from '../../../components/fold.tsx';
import { formText } from '../../../components/form.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { useSession } from '../../../lib/use-session.ts';
import { OperationDialog } from '../../../operation/operation-dialog.tsx';
import type { FieldsOf } from '../../../operation/operation-form.tsx';
import { NewKey } from './key-dialogs.tsx';
import { type KeyInput, offeredPermissions, readAddresses, readChecked, readDays, scopes } from './keys.view.ts';

const AGENTS = 200;

export function CreateKeyDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="apiKeys.create"
      title="Create an API key"
      submit="Create key"
      fixed={{}}
      fields={useKeyFields()}
      result={{
        title: ({ name }) => `New key “${name}”`,
        content: (created) => <NewKey created={created} onClose={onClose} />,
      }}
      onClose={onClose}
    />
  );
}

type Scope = KeyInput['scope'];

interface KeyFieldsOptions {
  name?: string;
  scope?: Scope;
  offered?: readonly (typeof scopes)[number][];
  expiry?: string;
  hint?: string;
}

export function useKeyFields(options: KeyFieldsOptions = {}): FieldsOf<'apiKeys.create'> {
  const [scope, setScope] = useState<Scope>(options.scope ?? 'human');
  return keyFields(scope, setScope, options);
}

/** Without a selection the key is not restricted. */
export function keyFields(
  scope: Scope,
  onScope: (scope: Scope) => void,
  { name, offered = scopes, expiry = '', hint }: KeyFieldsOptions,
): FieldsOf<'apiKeys.create'> {
  return {
    name: {
      initial: name,
      required: true,
      placeholder: 'Balance import (production)',
      hint: 'Shown in the activity log.',
    },
    scope: {
      slot: (errorOf) => <ScopeChoice {...{ scope, onScope, offered, hint }} error={errorOf('scope')} />,
      read: (data) => ({ value: formText(data, 'scope') }),
    },
    agent_id:
      scope === 'agent'
        ? {
            slot: (errorOf) => <AgentField error={errorOf('agent_id')} />,
            read: (data) => ({ value: formText(data, 'agent_id') }),
          }
        : undefined,
    expires_in_days: {
      slot: (errorOf) => <ExpiryFields initial={expiry} error={errorOf('expires_in_days')} />,
      read: readDays,
    },
    company_ids: {
      slot: (errorOf) => <CompanyBoxes error={errorOf('company_ids')} />,
      read: (data) => readChecked(data, 'company_ids'),
    },
    ...(scope === 'ingest' && {
      connection_ids: {
        half: true,
        label: 'Accounts',
        rows: 2,
        placeholder: 'operating',
        hint: 'Account IDs of balances and transactions (connection_id), one per line. Leave empty to allow any that no other key has posted to.',
      },
      sources: {
        half: true,
        rows: 2,
        placeholder: 'provider',
        hint: 'One per line. Leave empty to allow any.',
      },
    }),
    permissions:
      scope === 'read'
        ? undefined
        : {
            slot: (errorOf) => <PermissionBoxes scope={scope} error={errorOf('permissions')} />,
            read: (data) => readChecked(data, 'permissions'),
          },
    ip_allowlist: {
      label: 'Allowed IP addresses',
      rows: 2,
      placeholder: '203.0.113.7\n198.51.100.0/24',
      hint: 'IPv4, IPv6 or CIDR, one per line. Leave empty to allow all.',
      read: readAddresses,
    },
  };
}

interface ScopeChoiceProps extends Required<Pick<KeyFieldsOptions, 'scope' | 'offered'>> {
  onScope: (scope: Scope) => void;
  hint: string | undefined;
  error: string | undefined;
}

function ScopeChoice({ scope, onScope, offered, hint, error }: ScopeChoiceProps): React.JSX.Element {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Scope</legend>
      {offered.map(([id, label, text]) => (
        <label key={id} className="flex items-start gap-2 text-sm">
          <input
            type="radio"
            name="scope"
            value={id}
            checked={scope === id}
            onChange={() => onScope(id)}
            className="mt-1 accent-accent"
          />
          <span>
            <span className="font-medium">{label}</span> <span className="text-muted">{text}</span>
          </span>
        </label>
      ))}
      {hint !== undefined && <p className="text-xs text-muted">{hint}</p>}
      <FieldMessage text={error} />
    </fieldset>
  );
}

function AgentField({ error }: { error: string | undefined }): React.JSX.Element {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({ limit: AGENTS }));
  const agents = data?.data ?? [];
  return (
    <SelectField
      label="Agent"
      name="agent_id"
      required
      error={error}
      hint={data && agents.length === 0 ? 'No agents yet. Create one first.' : undefined}
    >
      <option value="">Choose an agent</option>
      <Options values={agents.map(({ id, name }) => [id, name])} />
    </SelectField>
  );
}

function ExpiryFields({ initial, error }: { initial: string; error: string | undefined }): React.JSX.Element {
  const [choice, setChoice] = useState(initial);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label="Expires"
        name="expires_in_days"
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
        error={choice === 'other' ? undefined : error}
      >
        <option value="">Never</option>
        <option value="30">In 30 days</option>
        <option value="90">In 90 days</option>
        <option value="365">In 1 year</option>
        <option value="other">Custom</option>
      </SelectField>
      {choice === 'other' && (
        <TextField label="Days" name="days" type="number" min={1} max={3650} required hint="1 to 3650" error={error} />
      )}
    </div>
  );
}

function CompanyBoxes({ error }: { error: string | undefined }): React.JSX.Element {
  const { api_key: own } = useSession();
  const { all: companies, hasMore } = useCompanies();
  return (
    <Restriction
      title="Restrict to companies"
      all={
        own.company_ids === null
          ? 'Without a selection, the key has access to all companies.'
          : 'Without a selection, the key has access to the companies of your own key.'
      }
      error={error}
    >
      {companies.map(({ id, name }) => (
        <CheckField key={id} label={name} name="company_ids" value={id} />
      ))}
      {hasMore && <p className="text-sm text-muted">{OLDER_COMPANIES}</p>}
      {companies.length === 0 && <p className="text-sm text-muted">No companies yet.</p>}
    </Restriction>
  );
}

function PermissionBoxes({ scope, error }: { scope: KeyInput['scope']; error: string | undefined }): React.JSX.Element {
  const { api_key: own } = useSession();
  return (
    <Restriction
      title="Restrict permissions"
      all={
        own.permissions === null
          ? 'Without a selection, the key has all permissions of its scope.'
          : 'Without a selection, the key has the permissions of your own key.'
      }
      error={error}
    >
      {offeredPermissions(scope).map(([name, text]) => (
        <CheckField key={name} label={name} hint={text} name="permissions" value={name} />
      ))}
    </Restriction>
  );
}

function Restriction({
  title,
  all,
  error,
  children,
}: {
  title: string;
  all: string;
  error: string | undefined;
  children: ReactNode;
}) {
  return (
    <Fold
      title={title}
      opens={error !== undefined}
      className="rounded-md border px-3 py-2"
      titleClass="text-sm font-medium"
    >
      <fieldset className="mt-2 flex flex-col gap-2">
        <legend className="mb-2 text-xs text-muted">{all}</legend>
        <div className="grid gap-2 sm:grid-cols-2">{children}</div>
        <FieldMessage text={error} />
      </fieldset>
    </Fold>
  );
}

function FieldMessage({ text }: { text: string | undefined }): ReactNode {
  return text !== undefined && <p className="text-xs text-bad">{text}</p>;
}
