import { useQuery } from '@tanstack/react-query';
import { Instant } from '../../../components/time.tsx';
import { useTRPC } from '../../../lib/trpc.ts';

/** Polling interval: finished deliveries emit no event. */
const REFETCH_MS = 15_000;

/** The deliveries of all endpoints in the last 24 hours. */
export function DeliveryCounts(): React.JSX.Element | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webhookEndpoints.health.queryOptions({}, { refetchInterval: REFETCH_MS }));
  if (data === undefined) return null;
  const { succeeded, failed, retrying, waiting, counted_from: from } = data;
  const count = (n: number): string => n.toLocaleString('en');
  return (
    <p className="text-sm text-muted">
      {from === null ? (
        'Last 24 hours'
      ) : (
        <>
          Since <Instant at={from} />
        </>
      )}
      : {count(succeeded)} of {count(succeeded + failed + retrying)} deliveries succeeded, {count(failed)} failed,{' '}
      {count(retrying)} retrying, {count(waiting)} pending.
    </p>
  );
}
