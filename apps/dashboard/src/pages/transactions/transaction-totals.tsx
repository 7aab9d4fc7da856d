import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ExactAmount } from '../../components/money.tsx';
import { amountIn } from '../../lib/exact-cents.ts';
import { plural } from '../../lib/text.ts';
import { type Input, useTRPC } from '../../lib/trpc.ts';

type Selection = Input<'bank.transactions.list'>;

// The filters of a list; the service validates those of the URL.
function asSelection(query: object): Selection {
  return query as Selection;
}

/** The number of transactions that the filters select, and their sums. */
export function TransactionTotals({ query }: { query: object }): React.JSX.Element {
  const trpc = useTRPC();
  const { data, isError } = useQuery({
    ...trpc.bank.transactions.list.queryOptions(
      { ...asSelection(query), order: undefined, limit: 1, include: 'totals' },
      { trpc: { context: { alone: true } } },
    ),
    placeholderData: keepPreviousData,
  });
  if (data?.totals === undefined) return <>{isError ? 'The sums could not be read.' : 'Adding up…'}</>;
  const voided = (data.total_count ?? 0) - data.totals.reduce((sum, { transactions }) => sum + transactions, 0);
  return (
    <>
      {plural(data.total_count ?? 0, 'row')}
      {voided > 0 && `, ${voided} of them voided and not added up`}
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
