import type { Metrics } from './create-metrics.ts';

/** What every process of the service counts, given to the domain when it is put together. */
export interface ServiceMetrics {
  /** Events that were committed. */
  readonly events: (count: number) => void;
  /** Shows how the connections to the database are used. */
  readonly watchPool: (usage: () => PoolUsage) => void;
}

type PoolUsage = Readonly<Record<'busy' | 'idle' | 'waiting', number>>;

export function createServiceMetrics(metrics: Metrics): ServiceMetrics {
  const accepted = metrics.counter({
    name: 'finhook_events_accepted_total',
    help: 'Events that this process committed.',
    labels: [],
  });
  accepted.add({}, 0);
  return {
    events: (count) => accepted.add({}, count),
    watchPool: (usage) => {
      metrics.gauge(
        {
          name: 'finhook_database_connections',
          help: 'Connections to PostgreSQL that are busy and idle, and callers that wait for one.',
          labels: ['state'],
        },
        () => Object.entries<number>(usage()).map(([state, value]) => ({ labels: { state }, value })),
      );
    },
  };
}
