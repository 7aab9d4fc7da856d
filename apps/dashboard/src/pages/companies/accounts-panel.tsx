import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { type NamedConnection, useConnectionNames, useSendingAccounts } from '../../lib/connection-names.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { type Settings, useChangeSettings } from '../../operation/use-change-settings.ts';
import { accountTypes, offeredAccounts, withAccountTypes, withoutPair } from './accounts.view.ts';

/** What each account is, and which accounts somebody called different although they have the same transactions. */
export function AccountsPanel({ companyId, mayChange }: { companyId: string; mayChange: boolean }) {
  const trpc = useTRPC();
  const names = useConnectionNames(companyId);
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  return (
    <Panel title="Accounts" className="self-start">
      <Loaded query={settings} label="Loading accounts">
        {(stored) => (
          <div className="flex flex-col gap-4">
            <AccountTypes key={companyId} settings={stored} names={names} mayChange={mayChange} />
            <DistinctAccounts settings={stored} names={names} mayChange={mayChange} />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

interface AccountsProps {
  settings: Settings;
  names: ReadonlyMap<string, NamedConnection>;
  mayChange: boolean;
}

const unchanged: ReadonlyMap<string, string> = new Map();

function AccountTypes({ settings, names, mayChange }: AccountsProps): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(unchanged);
  const save = useChangeSettings(settings.company_id, {
    done: 'Accounts saved. Figures are recalculated.',
    quiet: true,
    onDone(saved) {
      client.setQueryData(trpc.financials.settings.get.queryKey({ company_id: saved.company_id }), saved);
      // What was chosen while the request was on its way is still to be saved.
      const sent = new Map(saved.accounts.map(({ connection_id, account_type }) => [connection_id, account_type]));
      setChosen((now) => new Map([...now].filter(([id, type]) => type !== (sent.get(id) ?? ''))));
    },
  });
  const used = useSendingAccounts(settings.company_id, mayChange);
  const stored = new Map(settings.accounts.map(({ connection_id, account_type }) => [connection_id, account_type]));
  const accounts = offeredAccounts(names, [...stored.keys()], used);
  if (accounts.length === 0) return <p className="text-sm text-muted">No accounts yet.</p>;
  const fields = (
    <div className="grid gap-4 sm:grid-cols-2">
      {accounts.map(([id, name]) => (
        <SelectField
          key={id}
          label={name}
          disabled={!mayChange}
          value={chosen.get(id) ?? stored.get(id) ?? ''}
          onChange={({ target: { value } }) => setChosen(new Map(chosen).set(id, value))}
        >
          <option value="">As reported</option>
          <Options values={accountTypes} />
        </SelectField>
      ))}
    </div>
  );
  return (
    <>
      <p className="text-sm text-muted">
        The type of an account decides whether its balance counts as cash and its transactions count as spending. “As
        reported” is the type that the sender of the data names, or else a bank account.
      </p>
      {mayChange ? (
        <Form
          submit="Save accounts"
          busy={save.isPending}
          error={save.error}
          onSubmit={() => chosen.size > 0 && save.mutate((current) => withAccountTypes(current, chosen))}
        >
          {fields}
        </Form>
      ) : (
        fields
      )}
    </>
  );
}

function DistinctAccounts({ settings, names, mayChange }: AccountsProps): React.JSX.Element | null {
  const save = useChangeSettings(settings.company_id, {
    done: 'Removed. We check again whether the accounts are the same.',
  });
  const pairs = settings.distinct_connections;
  if (pairs.length === 0) return null;
  const nameOf = new Map(offeredAccounts(names, pairs.flat()));
  return (
    <section aria-label="Different accounts" className="border-t pt-4 text-sm">
      <h3 className="font-semibold">Different accounts</h3>
      <p className="text-muted">
        These accounts have the same transactions, but you said that they are different. Both count.
      </p>
      <ul className="mt-2 flex flex-col gap-1">
        {pairs.map((pair) => {
          const text = pair.map((id) => nameOf.get(id) ?? id).join(' and ');
          return (
            <li key={pair.join(' ')} className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="wrap-anywhere">{text}</span>
              {mayChange && (
                <Button
                  size="small"
                  variant="quiet"
                  busy={save.isPending}
                  aria-label={`Remove ${text}`}
                  onClick={() => save.mutate((stored) => withoutPair(stored, pair))}
                >
                  Remove
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
