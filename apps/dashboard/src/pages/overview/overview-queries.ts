import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { type RunwayLine, runwayText } from './runway-tile.view.ts';

/** `refetchInterval` of the tiles: ages and days change without an event. */
export const REFETCH_MS = 60_000;
export const MONTHS_SHOWN = 12;
export const DAYS_SHOWN = 90;

export function useOverviewQueries(company_id: string) {
  const { cash, financials } = useTRPC();
  return {
    history: cash.history.queryOptions({ company_id, days: DAYS_SHOWN }),
    runway: financials.runway.queryOptions({ company_id }),
    burn: financials.burn.queryOptions({ company_id }),
    monthly: financials.monthly.queryOptions({ company_id, months: MONTHS_SHOWN }),
    dataQuality: financials.dataQuality.queryOptions({ company_id }),
    freshness: financials.freshness.queryOptions({ company_id }),
  };
}

/** Cash per currency. Its query is not batched, so that a posted balance appears within a second. */
export function useCash(companyId: string): UseQueryResult<Outputs['cash']['onHand'], unknown> {
  const trpc = useTRPC();
  return useQuery(
    trpc.cash.onHand.queryOptions(
      { company_id: companyId },
      { staleTime: 0, refetchInterval: REFETCH_MS, meta: { first: true }, trpc: { context: { alone: true } } },
    ),
  );
}

export function useRunwayText(companyId: string): (line: RunwayLine | null) => string {
  const cash = useCash(companyId);
  return (line) => runwayText(line, cash.data?.excluded ?? []);
}

export function useSeriesName(companyId: string): (connectionId: string | null) => string {
  const names = useConnectionNames(companyId);
  return (connectionId) => (connectionId === null ? 'Unassigned' : (names.get(connectionId)?.name ?? connectionId));
}
