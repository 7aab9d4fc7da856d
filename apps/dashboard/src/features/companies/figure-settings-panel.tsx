import { useQuery, useQueryClient } from '@tanstack/react-query';
import { faultOf } from '../../data/problem.ts';
import { type Outputs, useTRPC } from '../../data/trpc.ts';
import { useAction } from '../../data/use-action.ts';
import { CheckField, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/page.tsx';
import { categoriesIn, idsIn } from './figure-settings.view.ts';

type Settings = Outputs['financials']['settings']['get'];

/** What cash, burn and runway of a company leave out. */
export function FigureSettingsPanel({ companyId, mayChange }: { companyId: string; mayChange: boolean }) {
  const trpc = useTRPC();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  return (
    <Panel title="What the figures leave out">
      <Loaded query={settings} label="Loading settings">
        {(data) => <SettingsForm key={data.updated_at} settings={data} mayChange={mayChange} />}
      </Loaded>
    </Panel>
  );
}

function SettingsForm({ settings, mayChange }: { settings: Settings; mayChange: boolean }): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const update = useAction((ctx) => trpc.financials.settings.update.mutationOptions(ctx), {
    done: 'The figures are counted anew.',
    quiet: true,
    onDone: () => {
      void client.invalidateQueries(trpc.cash.pathFilter());
      void client.invalidateQueries(trpc.financials.pathFilter());
    },
  });
  function submit(data: FormData): void {
    update.mutate({
      company_id: settings.company_id,
      excluded_categories: categoriesIn(data, 'excluded_categories'),
      excluded_inflow_categories: categoriesIn(data, 'excluded_inflow_categories'),
      excluded_connections: idsIn(data, 'excluded_connections'),
      exclude_suspected_transfers: data.has('exclude_suspected_transfers'),
    });
  }
  const lists = [
    ['excluded_categories', 'Categories left out of money in and out', 'One on each line, such as internal_transfer.'],
    ['excluded_inflow_categories', 'Categories left out of money in', 'One on each line, such as loan_proceeds.'],
    [
      'excluded_connections',
      'Connections left out of everything',
      'One id on each line; none stands for rows without one.',
    ],
  ] as const;
  return (
    <Form submit="Save settings" onSubmit={submit} busy={update.isPending} error={update.error}>
      <fieldset disabled={!mayChange} className="flex flex-col gap-4">
        <legend className="sr-only">What the figures leave out</legend>
        {lists.map(([name, label, hint]) => (
          <TextArea
            key={name}
            label={label}
            name={name}
            hint={hint}
            defaultValue={settings[name].join('\n')}
            error={faultOf(update.error, name)}
          />
        ))}
        <CheckField
          label="Leave out suspected transfers"
          name="exclude_suspected_transfers"
          defaultChecked={settings.exclude_suspected_transfers}
          hint="Pairs of equal amounts in and out of two connections within three days."
        />
      </fieldset>
    </Form>
  );
}
