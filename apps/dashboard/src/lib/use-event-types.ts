import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from './trpc.ts';

/** The event catalogue does not change while the service runs. */
export function useEventTypes(): UseQueryResult<Outputs['eventTypes']['list'], unknown> {
  const trpc = useTRPC();
  return useQuery(trpc.eventTypes.list.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
}
