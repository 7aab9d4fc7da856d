import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc.ts';

export function useIsEmpty(companyId: string): boolean {
  const trpc = useTRPC();
  const freshness = useQuery(trpc.financials.freshness.queryOptions({ company_id: companyId }));
  const history = useQuery(trpc.cash.history.queryOptions({ company_id: companyId, days: 90 }));
  return freshness.data?.grade === 'never' && history.data?.streams.length === 0;
}
