import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { PACE_MS } from './pace.ts';

/** Cash per currency. Its query is not batched, so that a posted balance appears within a second. */
export function useCash(companyId: string): UseQueryResult<Outputs['cash']['onHand'], unknown> {
  const trpc = useTRPC();
  return useQuery(
    trpc.cash.onHand.queryOptions(
      { company_id: companyId },
      { staleTime: 0, refetchInterval: PACE_MS, meta: { first: true }, trpc: { context: { alone: true } } },
    ),
  );
}
