import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPCClient } from './trpc.ts';

interface Read {
  /** Undefined until they are read. */
  labels: Outputs['bank']['transactions']['list']['labels'];
  isError: boolean;
}

const REFETCH_MS = 60_000;

/**
 * The categories that transactions of the company have, or those of one vendor, the most frequent first. The service
 * reads all transactions for them, so they are read whenever somebody is about to choose one, and have a key of their
 * own: the stream doesn't refetch them with every event.
 */
export function useTransactionLabels(company_id: string, enabled: boolean, counterparty?: string): Read {
  const client = useTRPCClient();
  const { data, isError } = useQuery({
    queryKey: ['transaction-labels', company_id, counterparty],
    enabled,
    staleTime: 0,
    refetchInterval: REFETCH_MS,
    meta: { changedBy: 'bank.transactions' },
    queryFn: ({ signal }) =>
      client.bank.transactions.list.query(
        { company_id, counterparty, limit: 1, include: 'labels' },
        { signal, context: { alone: true } },
      ),
  });
  return { labels: data?.labels, isError };
}
