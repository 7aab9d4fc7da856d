import { useQueries } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';

type Event = Outputs['events']['list']['data'][number];

const LOOKED_BACK = 50;

type HygieneType =
  | 'webhook_endpoint.failing'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.recovered'
  | 'webhook_endpoint.backlog';

export function useEndpointEvents(types: readonly HygieneType[]): { events: readonly Event[]; isLoading: boolean } {
  const trpc = useTRPC();
  return useQueries({
    queries: types.map((type) => trpc.events.list.queryOptions({ type, order: 'desc', limit: LOOKED_BACK })),
    combine: (results) => ({
      events: results.flatMap(({ data }) => data?.data ?? []),
      isLoading: results.some(({ isLoading }) => isLoading),
    }),
  });
}
