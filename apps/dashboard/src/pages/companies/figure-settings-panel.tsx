import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { someOf } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
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
        {(data) => (mayChange ? <SettingsEditor settings={data} /> : <SettingsFacts settings={data} />)}
      </Loaded>
    </Panel>
  );
}

/** Follows the stored settings until the user edits; an edit survives changes by others. */
function SettingsEditor({ settings }: { settings: Settings }): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [editedFrom, setEditedFrom] = useState<Settings>();
  const shown = editedFrom ?? settings;
  return (
    <div onInput={() => setEditedFrom(shown)}>
      <OperationForm
        key={shown.updated_at}
        operation="financials.settings.update"
        submit="Save settings"
        done="Settings saved. Figures are recalculated."
        fixed={{ company_id: settings.company_id }}
        record={shown}
        fields={fields}
        onDone={(saved) => {
          client.setQueryData(trpc.financials.settings.get.queryKey({ company_id: saved.company_id }), saved);
          setEditedFrom(undefined);
        }}
      />
    </div>
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
