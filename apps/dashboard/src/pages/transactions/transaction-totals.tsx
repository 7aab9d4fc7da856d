import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Money } from '../../components/money.tsx';
import { useCompany, useZone } from '../../components/shell/company-context.ts';
import { formatDay } from '../../lib/format-time.ts';
import { readsMany } from '../../lib/refetch-changed.ts';
import { plural } from '../../lib/text.ts';
import { type Input, type Output, useTRPC, useTRPCClient } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { ListTotals } from '../../operation/list-totals.tsx';
import type { TransactionSearch } from '../../search-names.ts';
import { averagedMonths, type TotalLine, totalLines, transfersFilter } from './transaction-totals.view.ts';

type Selection = Input<'bank.transactions.list'>;

function useTotals(query: Selection, enabled = true): UseQueryResult<Output<'bank.transactions.list'>, unknown> {
  const client = useTRPCClient();
  const input: Selection = { ...query, order: undefined, sort: undefined, limit: 1, include: 'totals' };
  return useQuery<Output<'bank.transactions.list'>, unknown>({
    queryKey: ['transaction-totals', input],
    meta: readsMany('bank.transactions'),
    queryFn: ({ signal }) => client.bank.transactions.list.query(input, { signal, context: { alone: true } }),
    enabled,
  });
}

interface TotalsProps {
  query: Selection;
  search: TransactionSearch;
}

/** The number of transactions that the filters select, and their sums. */
export function TransactionTotals(props: TotalsProps): React.JSX.Element {
  return (
    <ListTotals>
      <Totals {...props} />
    </ListTotals>
  );
}

function Totals({ query, search }: TotalsProps): React.ReactNode {
  const trpc = useTRPC();
  const { base_currency: base } = useCompany();
  const today = todayIn(useZone());
  const { data, isError } = useTotals(query);
  const among = transfersFilter(search);
  const transfers = useTotals({ ...query, ...among }, among !== undefined);
  const totals = data?.totals;
  const rates = useQuery(trpc.fxRates.get.queryOptions({}, { enabled: totals !== undefined && totals.length > 1 }));
  if (totals === undefined) return isError ? 'The totals couldn’t be loaded. Reload the page.' : 'Adding up…';
  const count = data?.total_count ?? 0;
  const voided = count - totals.reduce((sum, { transactions }) => sum + transactions, 0);
  const lines = totalLines({
    totals,
    transfers: (among && transfers.data?.totals) ?? [],
    months: averagedMonths(search, today),
    rates: rates.data,
    base,
    today,
  });
  return (
    <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
      <p className={`text-muted ${lines.length > 1 ? 'basis-full' : ''}`}>
        {plural(count, 'transaction')}
        {voided > 0 && `, ${voided} of them voided and not in the sums`}
      </p>
      {lines.map((line) => (
        <Line key={line.isTotal ? 'total' : line.currency} line={line} day={rates.data?.as_of} />
      ))}
    </div>
  );
}

function Line({ line, day }: { line: TotalLine; day: string | null | undefined }): React.JSX.Element {
  const { currency, isTotal, average, transfers } = line;
  return (
    <p>
      {isTotal ? `All, in ${currency}` : currency} in <Money cents={line.in} currency={currency} /> · out{' '}
      <Money cents={line.out} currency={currency} /> · net{' '}
      <Money cents={line.net} currency={currency} className="font-semibold" />
      {average !== undefined && (
        <>
          {' '}
          · average a month <Money cents={average} currency={currency} className="font-semibold" />
        </>
      )}
      {transfers && (
        <span className="text-muted">
          {' '}
          · of which transfers in <Money cents={transfers.in} currency={currency} />, out{' '}
          <Money cents={transfers.out} currency={currency} />
        </span>
      )}
      {isTotal && day && <span className="text-muted"> · rates of {formatDay(day)}</span>}
    </p>
  );
}
