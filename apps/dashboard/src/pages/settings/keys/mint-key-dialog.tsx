import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../../components/dialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../components/field.tsx';
import { Form } from '../../../components/form.tsx';
import { fieldError } from '../../../lib/problem.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { useSession } from '../../../lib/use-session.ts';
import { OLDER_COMPANIES } from '../../../operation/record-options.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { type MintInput, mintInput, permissions, scopes } from './keys.view.ts';
import { MintedKey } from './minted-key.tsx';

const AGENTS = 200;

/** Creates a key and shows it once. The secret leaves memory when the dialog closes. */
export function MintKeyDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  // The mutation cache does not keep the secret either.
  const mint = useOperation('apiKeys.create', {
    quiet: true,
  });
  const close = (): void => {
    mint.reset();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      stays={mint.data !== undefined}
      title={mint.data ? `The key “${mint.data.name}”` : 'Create an API key'}
    >
      {mint.data ? (
        <MintedKey secret={mint.data.key} name={mint.data.name} onClose={close} />
      ) : (
        <Form
          submit="Create key"
          busy={mint.isPending}
          error={mint.error}
          onCancel={close}
          onSubmit={(data) => mint.mutate(mintInput(data))}
        >
          <MintFields error={mint.error} />
        </Form>
      )}
    </Dialog>
  );
}

function MintFields({ error }: { error: unknown }): React.JSX.Element {
  const [scope, setScope] = useState<MintInput['scope']>('human');
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        placeholder="Balance import, production"
        hint="Shown in the activity log."
        error={fieldError(error, 'name')}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Scope</legend>
        {scopes.map(([id, label, covers]) => (
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
              <span className="font-medium">{label}</span> <span className="text-muted">{covers}</span>
            </span>
          </label>
        ))}
        <Fault text={fieldError(error, 'scope')} />
      </fieldset>
      {scope === 'agent' && <AgentField error={fieldError(error, 'agent_id')} />}
      <ExpiryFields error={fieldError(error, 'expires_in_days')} />
      <CompanyBoxes error={fieldError(error, 'company_ids')} />
      {scope !== 'read' && <PermissionBoxes error={fieldError(error, 'permissions')} />}
      <TextArea
        label="Allowed IP addresses"
        name="ip_allowlist"
        rows={2}
        placeholder={'203.0.113.7\n198.51.100.0/24'}
        hint="IPv4, IPv6 or CIDR, one per line. Leave empty to allow any."
        error={fieldError(error, 'ip_allowlist')}
      />
    </>
  );
}

function AgentField({ error }: { error: string | undefined }): React.JSX.Element {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({ limit: AGENTS }));
  const agents = data?.data ?? [];
  return (
    <SelectField
      label="Acts as"
      name="agent_id"
      required
      error={error}
      hint={data && agents.length === 0 ? 'No agents yet. Create one first.' : undefined}
    >
      <option value="">Choose an agent</option>
      {agents.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function ExpiryFields({ error }: { error: string | undefined }): React.JSX.Element {
  const [choice, setChoice] = useState('');
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
        <option value="365">In a year</option>
        <option value="other">Custom number of days</option>
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
    <Narrowing
      title="Only these companies"
      all={
        own.company_ids === null
          ? 'Select none to allow every company.'
          : 'Select none to allow the companies of your own key.'
      }
      error={error}
    >
      {companies.map(({ id, name }) => (
        <CheckField key={id} label={name} name="company_ids" value={id} />
      ))}
      {hasMore && <p className="text-sm text-muted">{OLDER_COMPANIES}</p>}
      {companies.length === 0 && <p className="text-sm text-muted">No companies yet.</p>}
    </Narrowing>
  );
}

function PermissionBoxes({ error }: { error: string | undefined }): React.JSX.Element {
  const { api_key: own } = useSession();
  return (
    <Narrowing
      title="Only these changes"
      all={
        own.permissions === null
          ? 'Select none to allow everything in the scope.'
          : 'Select none to allow what your own key allows.'
      }
      error={error}
    >
      {permissions.map(([name, covers]) => (
        <CheckField key={name} label={name} hint={covers} name="permissions" value={name} />
      ))}
    </Narrowing>
  );
}

function Narrowing({
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
        <Fault text={error} />
      </fieldset>
    </details>
  );
}

function Fault({ text }: { text: string | undefined }): ReactNode {
  return text !== undefined && <p className="text-xs text-bad">{text}</p>;
}
