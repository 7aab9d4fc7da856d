import { useQuery } from '@tanstack/react-query';
import { Options, SelectField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { plural } from '../../lib/text.ts';
import { type Input, useTRPC } from '../../lib/trpc.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { changes } from './transactions.view.ts';

type Filter = Input<'bank.transactions.bulk'>['filter'];

export function ChangeFiltered({ filter }: { filter: Filter }): React.JSX.Element {
  return (
    <OperationButton size="small" operation="bank.transactions.bulk" label="Change all" needsCompany>
      {(close) => <ChangeDialog filter={filter} onClose={close} />}
    </OperationButton>
  );
}

function ChangeDialog({ filter, onClose }: { filter: Filter; onClose: () => void }): React.JSX.Element | null {
  const trpc = useTRPC();
  const { id: company_id } = useCompany();
  const counted = { ...asListFilter(filter), company_id, limit: 1, include: 'total_count' as const };
  const { data } = useQuery(trpc.bank.transactions.list.queryOptions(counted, { staleTime: 0 }));
  const count = data?.total_count;
  if (count === undefined) return null;
  return (
    <OperationDialog
      operation="bank.transactions.bulk"
      title={`Change ${plural(count, 'transaction')}`}
      description="All transactions that the filters select, also those on other pages."
      submit="Change all"
      done={({ updated }) => `${plural(updated, 'transaction')} changed.`}
      fixed={{ company_id, filter, expected_count: count }}
      fields={{
        set: {
          slot: (errorOf) => (
            <SelectField name="change" label="Change to" error={errorOf('set')} required className="sm:col-span-2">
              <Options values={changes.map(([value, label]) => [value, label])} />
            </SelectField>
          ),
          read: (form) => ({ value: changes.find(([value]) => value === formText(form, 'change'))?.[2] }),
        },
        reason: {},
      }}
      onClose={onClose}
    />
  );
}

// The filters of both have the same names; only those of a body may be null.
function asListFilter(filter: Filter): Omit<Input<'bank.transactions.list'>, 'company_id'> {
  return filter as Omit<Input<'bank.transactions.list'>, 'company_id'>;
}
