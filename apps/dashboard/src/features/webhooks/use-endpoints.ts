import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC, useTRPCClient } from '../../data/trpc.ts';
import type { Endpoint } from './endpoint-health.view.ts';

/** Deliveries that end change an endpoint's health without an event: it is read again this often while it is looked at. */
const HEALTH_MS = 5_000;
const BACKLOG_MS = 10_000;
/** No account has more. */
const MAX_ENDPOINTS = 200;

/** All endpoints of the account, newest first; `false` where their health is not looked at. */
export function useEndpoints(
  refetchInterval: number | false = HEALTH_MS,
): UseQueryResult<Outputs['webhookEndpoints']['list'], unknown> {
  const trpc = useTRPC();
  return useQuery(trpc.webhookEndpoints.list.queryOptions({ limit: MAX_ENDPOINTS }, { refetchInterval }));
}

export function useEndpoint(endpointId: string): UseQueryResult<Endpoint, unknown> {
  const trpc = useTRPC();
  return useQuery(trpc.webhookEndpoints.get.queryOptions({ endpoint_id: endpointId }, { refetchInterval: HEALTH_MS }));
}

/**
 * How many deliveries did not arrive. Counted at leisure: under a key of its own, so that the stream of changes does not
 * have it counted with every event.
 */
export function useUndelivered(endpointId: string): UseQueryResult<number, unknown> {
  const client = useTRPCClient();
  return useQuery({
    queryKey: ['undelivered', endpointId],
    refetchInterval: BACKLOG_MS,
    queryFn: async ({ signal }) => {
      const page = await client.deliveries.list.query(
        { endpoint_id: endpointId, status: 'undelivered', limit: 1, include: 'total_count' },
        { signal },
      );
      return page.total_count ?? page.data.length;
    },
  });
}
