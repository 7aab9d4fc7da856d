import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CheckField, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { fieldError } from '../../lib/problem.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { dirtyFields } from '../../operation/field-values.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { categoriesIn, idsIn } from './figure-settings.view.ts';

type Settings = Outputs['financials']['settings']['get'];

export function FigureSettingsPanel({ companyId, mayChange }: { companyId: string; mayChange: boolean }) {
  const trpc = useTRPC();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  return (
    <Panel title="Exclusions">
      <Loaded query={settings} label="Loading settings">
        {(data) =>
          mayChange ? (
            <SettingsEditor settings={data} />
          ) : (
            <SettingsFields key={data.updated_at} settings={data} disabled />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Follows the stored settings until the user edits; an edit survives changes by others. */
function SettingsEditor({ settings }: { settings: Settings }): React.JSX.Element {
  const [typedOn, setTypedOn] = useState<Settings>();
  const shown = typedOn ?? settings;
  return (
    <div onInput={() => setTypedOn(shown)}>
      <SettingsForm key={shown.updated_at} settings={shown} onSaved={() => setTypedOn(undefined)} />
    </div>
  );
}

function SettingsForm({ settings, onSaved }: { settings: Settings; onSaved: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const update = useOperation('financials.settings.update', {
    done: 'Settings saved. Figures are recalculated.',
    quiet: true,
    onDone(saved) {
      client.setQueryData(trpc.financials.settings.get.queryKey({ company_id: saved.company_id }), saved);
      onSaved();
    },
  });
  function submit(data: FormData): void {
    const fields = {
      excluded_categories: categoriesIn(data, 'excluded_categories'),
      excluded_inflow_categories: categoriesIn(data, 'excluded_inflow_categories'),
      excluded_connections: idsIn(data, 'excluded_connections'),
      exclude_suspected_transfers: data.has('exclude_suspected_transfers'),
    };
    update.mutate({ company_id: settings.company_id, ...dirtyFields(settings, fields) });
  }
  return (
    <Form submit="Save settings" onSubmit={submit} busy={update.isPending} error={update.error}>
      <SettingsFields settings={settings} error={update.error} />
    </Form>
  );
}

const lists = [
  ['excluded_categories', 'Categories excluded from money in and out', 'One per line, such as internal_transfer.'],
  ['excluded_inflow_categories', 'Categories excluded from money in', 'One per line, such as loan_proceeds.'],
  ['excluded_connections', 'Excluded connections', 'One ID per line. Use none for rows without a connection.'],
] as const;

interface SettingsFieldsProps {
  settings: Settings;
  error?: unknown;
  disabled?: boolean;
}

function SettingsFields({ settings, error, disabled = false }: SettingsFieldsProps): React.JSX.Element {
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-4">
      <legend className="sr-only">Exclusions</legend>
      {lists.map(([name, label, hint]) => (
        <TextArea
          key={name}
          label={label}
          name={name}
          hint={hint}
          defaultValue={settings[name].join('\n')}
          error={fieldError(error, name)}
        />
      ))}
      <CheckField
        label="Exclude suspected transfers"
        name="exclude_suspected_transfers"
        defaultChecked={settings.exclude_suspected_transfers}
        hint="Pairs of equal amounts in and out of two connections within three days."
      />
    </fieldset>
  );
}
