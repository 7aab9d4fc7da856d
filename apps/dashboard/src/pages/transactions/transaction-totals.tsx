import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ExactAmount } from '../../components/money.tsx';
import { amountIn } from '../../lib/exact-cents.ts';
import { readsMany } from '../../lib/refetch-changed.ts';
import { plural } from '../../lib/text.ts';
import { type Input, type Output, useTRPCClient } from '../../lib/trpc.ts';

type Selection = Input<'bank.transactions.list'>;

// The filters of a list; the service validates those of the URL.
function asSelection(query: object): Selection {
  return query as Selection;
}

function useTotals(query: object): UseQueryResult<Output<'bank.transactions.list'>, unknown> {
  const client = useTRPCClient();
  const input: Selection = { ...asSelection(query), order: undefined, sort: undefined, limit: 1, include: 'totals' };
  return useQuery<Output<'bank.transactions.list'>, unknown>({
    queryKey: ['transaction-totals', input],
    meta: readsMany('bank.transactions'),
    queryFn: ({ signal }) => client.bank.transactions.list.query(input, { signal, context: { alone: true } }),
  });
}

/** The number of transactions that the filters select, and their sums. */
export function TransactionTotals({ query }: { query: object }): React.JSX.Element {
  const { data, isError } = useTotals(query);
  if (data?.totals === undefined)
    return <>{isError ? 'The totals couldn’t be loaded. Reload the page.' : 'Adding up…'}</>;
  const voided = (data.total_count ?? 0) - data.totals.reduce((sum, { transactions }) => sum + transactions, 0);
  return (
    <>
      {plural(data.total_count ?? 0, 'transaction')}
      {voided > 0 && `, ${voided} of them voided and not in the sums`}
      {data.totals.map((total) => (
        <span key={total.currency}>
          {' · '}
          {total.currency} in <ExactAmount {...amountIn(total, 'in')} currency={total.currency} /> · out{' '}
          <ExactAmount {...amountIn(total, 'out')} currency={total.currency} /> · net{' '}
          <ExactAmount {...amountIn(total, 'net')} currency={total.currency} />
        </span>
      ))}
    </>
  );
}
