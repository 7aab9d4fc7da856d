import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { NO_ACCOUNT, useConnectionNames, useSendingAccounts } from '../../lib/connection-names.ts';
import { someOf } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';
import { offeredAccounts } from './accounts.view.ts';

type Settings = Outputs['financials']['settings']['get'];

const fields = {
  excluded_categories: {
    label: 'Categories excluded from money in and out',
    hint: 'One per line, such as internal_transfer.',
    initial: '',
  },
  excluded_inflow_categories: {
    label: 'Categories excluded from money in',
    hint: 'One per line, such as loan_proceeds.',
    initial: '',
  },
  excluded_connections: {
    label: 'Excluded accounts',
  },
  exclude_suspected_transfers: {
    label: 'Exclude suspected transfers',
    hint: 'Pairs of equal amounts in and out of two accounts within 5 days.',
  },
} as const;

export function FigureSettingsPanel({ companyId, mayChange }: { companyId: string; mayChange: boolean }) {
  const trpc = useTRPC();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  return (
    <Panel title="Exclusions">
      <Loaded query={settings} label="Loading settings">
        {(data) => (
          <KeepEdits of={companyId} value={{ data, mayChange }}>
            {(shown, release) =>
              shown.mayChange ? (
                <SettingsEditor key={shown.data.updated_at} settings={shown.data} release={release} />
              ) : (
                <SettingsFacts settings={shown.data} />
              )
            }
          </KeepEdits>
        )}
      </Loaded>
    </Panel>
  );
}

function SettingsEditor({ settings, release }: { settings: Settings; release: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const names = useConnectionNames(settings.company_id);
  const used = useSendingAccounts(settings.company_id, true);
  const accounts = offeredAccounts(names, settings.excluded_connections, [...used, NO_ACCOUNT]);
  return (
    <OperationForm
      operation="financials.settings.update"
      submit="Save settings"
      done="Settings saved. Figures are recalculated."
      fixed={{ company_id: settings.company_id }}
      record={settings}
      fields={{
        ...fields,
        excluded_connections: { ...fields.excluded_connections, choices: accounts.map(named) },
      }}
      onDone={(saved) => {
        client.setQueryData(trpc.financials.settings.get.queryKey({ company_id: saved.company_id }), saved);
        release();
      }}
      onDiscard={release}
    />
  );
}

const named = ([id, name]: readonly [id: string, name: string]) =>
  [id, id === NO_ACCOUNT ? `${name} (rows without an account)` : name] as const;

function SettingsFacts({ settings }: { settings: Settings }): React.JSX.Element {
  const lists = ['excluded_categories', 'excluded_inflow_categories'] as const;
  const names = useConnectionNames(settings.company_id);
  const excluded = new Map(offeredAccounts(names, settings.excluded_connections));
  const accounts = settings.excluded_connections.map((id) => excluded.get(id) ?? id);
  return (
    <DescriptionList
      entries={[
        ...lists.map((name) => [fields[name].label, <Names key={name} names={settings[name]} />] as const),
        [fields.excluded_connections.label, <Names key="accounts" names={accounts} />],
        [fields.exclude_suspected_transfers.label, settings.exclude_suspected_transfers ? 'Yes' : 'No'],
      ]}
    />
  );
}

function Names({ names }: { names: readonly string[] }): React.JSX.Element {
  const some = someOf(names);
  if (some === names.join(', ') || names.length === 0) return <>{some}</>;
  return (
    <details>
      <summary>{some}</summary>
      <p className="mt-1 text-muted">{names.join(', ')}</p>
    </details>
  );
}
