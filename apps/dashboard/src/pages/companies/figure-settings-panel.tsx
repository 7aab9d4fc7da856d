import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { someOf } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';

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
    label: 'Excluded connections',
    hint: 'One ID per line. Enter none for rows without a connection.',
    initial: '',
    verbatim: true,
  },
  exclude_suspected_transfers: {
    label: 'Exclude suspected transfers',
    hint: 'Pairs of equal amounts in and out of two connections within 5 days.',
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
  return (
    <OperationForm
      operation="financials.settings.update"
      submit="Save settings"
      done="Settings saved. Figures are recalculated."
      fixed={{ company_id: settings.company_id }}
      record={settings}
      fields={fields}
      onDone={(saved) => {
        client.setQueryData(trpc.financials.settings.get.queryKey({ company_id: saved.company_id }), saved);
        release();
      }}
      onDiscard={release}
    />
  );
}

function SettingsFacts({ settings }: { settings: Settings }): React.JSX.Element {
  const lists = ['excluded_categories', 'excluded_inflow_categories', 'excluded_connections'] as const;
  return (
    <DescriptionList
      entries={[
        ...lists.map((name) => [fields[name].label, <Names key={name} names={settings[name]} />] as const),
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
