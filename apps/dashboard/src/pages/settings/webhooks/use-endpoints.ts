import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC, useTRPCClient } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';

export type Endpoint = Outputs['webhookEndpoints']['get'];

/** Polling interval of an endpoint's health: finished deliveries change it without an event. */
const HEALTH_MS = 5_000;
const BACKLOG_MS = 10_000;
const MAX_ENDPOINTS = 200;

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

/** Has a query key of its own, so that the stream does not refetch it with every event. */
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

/** How long events are kept by default, and so how far back deliveries can be replayed. */
const KEPT_MS = 90 * 86_400_000;

export const replayedSince = (): string => new Date(Date.now() - KEPT_MS).toISOString();

/** The count of failed events reads all events that are kept. */
const FAILED_MS = 60_000;

export const failedKey = (endpointId: string): readonly string[] => ['failed', endpointId];

/** The number of events whose delivery failed permanently and that a replay would send; undefined until it is known. */
export function useFailed(endpointId: string): number | undefined {
  const client = useTRPCClient();
  const may = usePermission()('webhookEndpoints.replay');
  const undelivered = useUndelivered(endpointId).data ?? 0;
  const { data } = useQuery({
    queryKey: failedKey(endpointId),
    enabled: may && undelivered > 0,
    staleTime: FAILED_MS,
    refetchInterval: FAILED_MS,
    meta: { changedBy: 'webhookEndpoints' },
    queryFn: async () => {
      const input = { endpoint_id: endpointId, since: replayedSince(), only: 'failed', dry_run: true } as const;
      return (await client.webhookEndpoints.replay.mutate(input)).matched;
    },
  });
  return undelivered > 0 ? data : 0;
}

/** An event never changes. It has a query key of its own, so that the stream does not refetch it. */
export function useEvent(eventId: string, enabled = true): UseQueryResult<Outputs['events']['get'], unknown> {
  const client = useTRPCClient();
  return useQuery({
    queryKey: ['event', eventId],
    enabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => client.events.get.query({ event_id: eventId }, { signal }),
  });
}

type Event = Outputs['events']['list']['data'][number];
type HealthEvent = `webhook_endpoint.${'failing' | 'disabled' | 'recovered' | 'backlog'}`;

const READ_EVENTS = 50;

export function useEndpointEvents(types: readonly HealthEvent[]): { events: readonly Event[]; isLoading: boolean } {
  const trpc = useTRPC();
  return useQueries({
    queries: types.map((type) => trpc.events.list.queryOptions({ type, order: 'desc', limit: READ_EVENTS })),
    combine: (results) => ({
      events: results.flatMap(({ data }) => data?.data ?? []),
      isLoading: results.some(({ isLoading }) => isLoading),
    }),
  });
}

/** The event catalogue does not change while the service runs. */
export function useEventTypes(): UseQueryResult<Outputs['eventTypes']['list'], unknown> {
  const trpc = useTRPC();
  return useQuery(trpc.eventTypes.list.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
}
