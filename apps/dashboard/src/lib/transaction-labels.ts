import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from './trpc.ts';

type Labels = NonNullable<Outputs['bank']['transactions']['list']['labels']>;

const FRESH_MS = 60_000;

/**
 * The categories and accounts that transactions of the company have, the most frequent first; undefined until they are
 * read. The service reads all transactions for it, so it is read only when somebody chooses one.
 */
export function useTransactionLabels(company_id: string, enabled: boolean): Labels | undefined {
  const trpc = useTRPC();
  const query = trpc.bank.transactions.list.queryOptions(
    { company_id, limit: 1, include: 'labels' },
    { enabled, staleTime: FRESH_MS, trpc: { context: { alone: true } } },
  );
  return useQuery(query).data?.labels;
}
