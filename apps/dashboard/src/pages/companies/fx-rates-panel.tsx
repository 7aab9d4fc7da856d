import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { OperationForm } from '../../operation/operation-form.tsx';

const fields = {
  base: { label: 'Base currency', hint: 'The rates are for one unit of it.', initial: 'EUR' },
  as_of: { label: 'Day of the rates' },
  rates: { label: 'Rates', hint: 'One per line, such as USD: 1.0842.', initial: '' },
  source: { label: 'Source', hint: 'Such as ECB.', initial: '' },
} as const;

export function FxRatesPanel({ mayChange }: { mayChange: boolean }): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const query = useQuery(trpc.fxRates.get.queryOptions({}));
  return (
    <Panel title="Exchange rates">
      <p className="text-muted">
        Totals of several currencies use these rates, in every company of your account, until the rates are seven days
        old.
      </p>
      <Loaded query={query} label="Loading rates">
        {(set) =>
          mayChange ? (
            <KeepEdits of={set.account_id} value={set}>
              {(shown, release) => (
                <OperationForm
                  key={shown.updated_at}
                  operation="fxRates.put"
                  submit="Save rates"
                  done="Rates saved. Totals are recalculated."
                  fixed={{}}
                  record={shown.base === null ? undefined : shown}
                  sendsAll
                  replaces={shown}
                  onDiscard={release}
                  fields={fields}
                  onDone={(saved) => {
                    client.setQueryData(trpc.fxRates.get.queryKey({}), saved);
                    release();
                  }}
                />
              )}
            </KeepEdits>
          ) : (
            <DescriptionList
              entries={[
                [fields.base.label, set.base ?? 'No rates yet'],
                [fields.as_of.label, set.as_of ?? '–'],
                ...Object.entries(set.rates),
                [fields.source.label, set.source ?? '–'],
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
