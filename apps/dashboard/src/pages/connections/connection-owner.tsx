import { useQuery } from '@tanstack/react-query';
import { Options, SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';

const NO_KEY = 'none';

interface Series {
  company_id: string;
  connection_id: string;
}

export function OwnerPanel({ series, name }: { series: Series; name: string }): React.JSX.Element {
  const trpc = useTRPC();
  const owner = useQuery(trpc.bank.connections.getOwner.queryOptions(series));
  return (
    <Panel
      title="Owner of the data"
      actions={
        <OperationButton operation="bank.connections.setOwner" label="Hand over…">
          {(close) => <HandOverDialog {...series} name={name} onClose={close} />}
        </OperationButton>
      }
    >
      <Loaded query={owner} label="Loading the owner">
        {({ key_id }) => (
          <p className="text-sm wrap-anywhere">
            {key_id === null ? 'No ingest key owns this data. People and syncs post it.' : <KeyName id={key_id} />}
          </p>
        )}
      </Loaded>
    </Panel>
  );
}

function KeyName({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const key = useQuery(trpc.apiKeys.get.queryOptions({ key_id: id }));
  return (
    <>
      {key.data && <>{key.data.name} </>}
      <code>{id}</code>
      <span className="block text-muted">This ingest key, or the key that replaces it, posts this data.</span>
    </>
  );
}

interface HandOverProps {
  company_id: string;
  connection_id?: string;
  name: string;
  onClose: () => void;
}

export function HandOverDialog({ company_id, connection_id, name, onClose }: HandOverProps): React.JSX.Element {
  const trpc = useTRPC();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({ status: 'active', scope: 'ingest', limit: 200 }));
  const choices = (keys.data?.data ?? []).map(({ id, name: label, last4 }) => [id, `${label} (…${last4})`] as const);
  return (
    <OperationDialog
      operation="bank.connections.setOwner"
      title={`Hand over ${name}`}
      submit="Hand over"
      done="Data handed over."
      danger
      fixed={{ company_id, ...(connection_id !== undefined && { connection_id }) }}
      fields={{
        ...(connection_id === undefined && {
          connection_id: {
            label: 'Account ID',
            hint: 'The account ID of the rows, or “none” for rows without an account',
          },
        }),
        key_id: {
          slot: (errorOf) => (
            <SelectField
              label="New owner"
              name="key_id"
              required
              defaultValue=""
              hint="An active ingest-only key that may post to this account"
              error={errorOf('key_id')}
            >
              <option value="" disabled>
                Choose a key
              </option>
              <Options values={[[NO_KEY, 'No ingest key'], ...choices]} />
            </SelectField>
          ),
          read: (data) => ({ value: keyOf(formText(data, 'key_id')) }),
        },
      }}
      onClose={onClose}
    >
      <p>The current owner can no longer post to this account. Stored balances and transactions are kept.</p>
    </OperationDialog>
  );
}

function keyOf(chosen: string | undefined): string | null | undefined {
  return chosen === NO_KEY ? null : chosen;
}
