import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPCClient } from './trpc.ts';

interface Read {
  /** Undefined until they are read. */
  labels: Outputs['bank']['transactions']['list']['labels'];
  isError: boolean;
}

const REFETCH_MS = 60_000;

/**
 * The categories that transactions of the company have, the most frequent first. The service reads all transactions for
 * it, so it is read whenever somebody is about to choose one, and has a key of its own: the stream doesn't refetch it
 * with every event.
 */
export function useTransactionLabels(company_id: string, enabled: boolean): Read {
  const client = useTRPCClient();
  const { data, isError } = useQuery({
    queryKey: ['transaction-labels', company_id],
    enabled,
    staleTime: 0,
    refetchInterval: REFETCH_MS,
    meta: { changedBy: 'bank.transactions' },
    queryFn: ({ signal }) =>
      client.bank.transactions.list.query(
        { company_id, limit: 1, include: 'labels' },
        { signal, context: { alone: true } },
      ),
  });
  return { labels: data?.labels, isError };
}
