import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { accountName, useConnectionNames } from '../../lib/connection-names.ts';
import { isFirstRead } from '../../lib/first-read.ts';
import { type Inputs, type Outputs, useTRPC, useTRPCClient } from '../../lib/trpc.ts';
import { CHANGE_DAYS } from './cash.view.ts';

/** `refetchInterval` of the tiles: ages and days change without an event. */
export const REFETCH_MS = 60_000;
export const MONTHS_SHOWN = 12;
/** Each costs a read of its flags. */
export const MOST_AGENTS = 24;

export function useOverviewQueries(company_id: string) {
  const { agents, cash, filings, financials } = useTRPC();
  return {
    history: cash.history.queryOptions({ company_id, days: CHANGE_DAYS + 1 }),
    runway: financials.runway.queryOptions({ company_id }),
    burn: financials.burn.queryOptions({ company_id }),
    monthly: financials.monthly.queryOptions({ company_id, months: MONTHS_SHOWN + 1 }),
    spendByCategory: financials.breakdown.queryOptions({ company_id, by: 'category' }),
    spendByVendor: financials.breakdown.queryOptions({ company_id, by: 'counterparty' }),
    statements: financials.statements.queryOptions({ company_id, months: MONTHS_SHOWN }),
    // Not batched: the large inflows that it names are read while the batch is on its way.
    dataQuality: financials.dataQuality.queryOptions({ company_id }, { trpc: { context: { alone: true } } }),
    overdueFilings: filings.list.queryOptions({
      company_id,
      overdue: true,
      order: 'asc',
      limit: 1,
      include: 'total_count',
    }),
    // Their open flags are read next.
    agents: agents.list.queryOptions({ company_id, limit: MOST_AGENTS }),
    settings: financials.settings.get.queryOptions({ company_id }),
  };
}

/** At least so many months of figures, up to the current one. */
export function useMonthly(
  company_id: string,
  months: number,
): UseQueryResult<Outputs['financials']['monthly'], unknown> {
  const trpc = useTRPC();
  // The overview has read the months of the last year already.
  return useQuery(trpc.financials.monthly.queryOptions({ company_id, months: Math.max(months, MONTHS_SHOWN + 1) }));
}

/** Cash per currency. Its query is not batched, so that a posted balance appears within a second. */
export function useCash(companyId: string): UseQueryResult<Outputs['cash']['onHand'], unknown> {
  const trpc = useTRPC();
  return useQuery(
    trpc.cash.onHand.queryOptions(
      { company_id: companyId },
      { refetchInterval: REFETCH_MS, meta: { first: true }, trpc: { context: { alone: true } } },
    ),
  );
}

type Plan = Pick<Inputs['financials']['forecast'], 'changes' | 'currency' | 'months'>;

const noPlan: Plan = {};

/** The cash if burn goes on, with the changes. A read that tRPC calls a mutation, because its input may be long. */
export function useForecast(
  company_id: string,
  plan: Plan = noPlan,
): UseQueryResult<Outputs['financials']['forecast'], unknown> {
  const client = useTRPCClient();
  const input = { company_id, ...plan };
  return useQuery({
    // As tRPC makes its keys, so that changes of the company's data refetch it.
    queryKey: [['financials', 'forecast'], { input, type: 'query' }],
    queryFn: () => client.financials.forecast.mutate(input),
    placeholderData: keepPreviousData,
  });
}

/** The currencies because of which there is no total. Cash may be in currencies without flows, and flows in ones without cash. */
export function useMissingRates(companyId: string): { missing: readonly string[]; isFirstRead: boolean } {
  const { runway, monthly } = useOverviewQueries(companyId);
  const reads = [useCash(companyId), useQuery(runway), useQuery(monthly)];
  return {
    missing: [...new Set(reads.flatMap(({ data }) => data?.rates_missing ?? []))],
    isFirstRead: reads.some(isFirstRead),
  };
}

export function useSeriesName(companyId: string): (connectionId: string | null) => string {
  const names = useConnectionNames(companyId);
  return (connectionId) => accountName(names, connectionId);
}
