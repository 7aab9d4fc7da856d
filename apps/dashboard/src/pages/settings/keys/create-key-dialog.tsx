import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { OLDER_COMPANIES } from '../../../components/company-choice.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { CheckField, Options, SelectField, TextArea, TextField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { fieldError } from '../../../lib/problem.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { useSession } from '../../../lib/use-session.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { NewKey } from './key-dialogs.tsx';
import { type KeyInput, keyInput, offeredPermissions, scopes } from './keys.view.ts';

const AGENTS = 200;

/** Creates a key and shows it once. The secret leaves memory when the dialog closes. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const create = useOperation('apiKeys.create', { quiet: true });
  const close = (): void => {
    create.reset();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      stays={create.data !== undefined}
      title={create.data ? `New key “${create.data.name}”` : 'Create an API key'}
    >
      {create.data ? (
        <NewKey created={create.data} onClose={close} />
      ) : (
        <Form
          submit="Create key"
          busy={create.isPending}
          error={create.error}
          onCancel={close}
          onSubmit={(data) => create.mutate(keyInput(data))}
        >
          <KeyFields error={create.error} />
        </Form>
      )}
    </Dialog>
  );
}

interface KeyFieldsProps {
  error: unknown;
  name?: string;
  scope?: KeyInput['scope'];
  offered?: readonly (typeof scopes)[number][];
  /** Days. */
  expiry?: string;
  hint?: string;
}

export function KeyFields({
  error,
  name,
  scope: initialScope = 'human',
  offered = scopes,
  expiry = '',
  hint,
}: KeyFieldsProps): React.JSX.Element {
  const [scope, setScope] = useState<KeyInput['scope']>(initialScope);
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        defaultValue={name}
        placeholder="Balance import (production)"
        hint="Shown in the activity log."
        error={fieldError(error, 'name')}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Scope</legend>
        {offered.map(([id, label, text]) => (
          <label key={id} className="flex items-start gap-2 text-sm">
            <input
              type="radio"
              name="scope"
              value={id}
              checked={scope === id}
              onChange={() => setScope(id)}
              className="mt-1 accent-accent"
            />
            <span>
              <span className="font-medium">{label}</span> <span className="text-muted">{text}</span>
            </span>
          </label>
        ))}
        {hint !== undefined && <p className="text-xs text-muted">{hint}</p>}
        <FieldMessage text={fieldError(error, 'scope')} />
      </fieldset>
      {scope === 'agent' && <AgentField error={fieldError(error, 'agent_id')} />}
      <ExpiryFields initial={expiry} error={fieldError(error, 'expires_in_days')} />
      <CompanyBoxes error={fieldError(error, 'company_ids')} />
      {scope === 'ingest' && <ProviderFields error={error} />}
      {scope !== 'read' && <PermissionBoxes scope={scope} error={fieldError(error, 'permissions')} />}
      <TextArea
        label="Allowed IP addresses"
        name="ip_allowlist"
        rows={2}
        placeholder={'203.0.113.7\n198.51.100.0/24'}
        hint="IPv4, IPv6 or CIDR, one per line. Leave empty to allow all."
        error={fieldError(error, 'ip_allowlist')}
      />
    </>
  );
}

function ProviderFields({ error }: { error: unknown }): React.JSX.Element {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextArea
        label="Connections"
        name="connection_ids"
        rows={2}
        placeholder="operating"
        hint="The connection_id of balances and transactions, one per line. Leave empty to allow any that no other key has posted to."
        error={fieldError(error, 'connection_ids')}
      />
      <TextArea
        label="Sources"
        name="sources"
        rows={2}
        placeholder="provider"
        hint="One per line. Leave empty to allow any."
        error={fieldError(error, 'sources')}
      />
    </div>
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
    <details open={error !== undefined || undefined} className="rounded-md border px-3 py-2">
      <summary className="text-sm font-medium">{title}</summary>
      <fieldset className="mt-2 flex flex-col gap-2">
        <legend className="mb-2 text-xs text-muted">{all}</legend>
        <div className="grid gap-2 sm:grid-cols-2">{children}</div>
        <FieldMessage text={error} />
      </fieldset>
    </details>
  );
}

function FieldMessage({ text }: { text: string | undefined }): ReactNode {
  return text !== undefined && <p className="text-xs text-bad">{text}</p>;
}
