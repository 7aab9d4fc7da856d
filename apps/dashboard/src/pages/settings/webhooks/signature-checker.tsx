import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../components/page.tsx';
import { Loading } from '../../../components/states.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { useSession } from '../../../lib/use-session.ts';
import { headerLines } from './attempt.view.ts';
import { CheckForm, type CheckStart } from './check-form.tsx';

export function SignatureChecker({ deliveryId }: { deliveryId: string | undefined }): React.JSX.Element {
  const { role } = useSession();
  const given = useDelivered(deliveryId);
  return (
    <Panel title="Check a signature">
      <p className="mb-4 max-w-prose text-sm text-muted">
        Paste the request your server received and choose its endpoint. If it verifies here and not on your server, your
        server uses another secret or changes the body before it verifies.
      </p>
      {role === 'viewer' ? (
        <p className="text-sm">A read key cannot verify signatures. Sign in with another key.</p>
      ) : given.isLoading ? (
        <Loading label="Loading the delivery" lines={5} />
      ) : (
        <CheckForm key={given.start ? deliveryId : 'own'} {...(given.start && { start: given.start })} />
      )}
    </Panel>
  );
}

function useDelivered(deliveryId: string | undefined): { start: CheckStart | undefined; isLoading: boolean } {
  const trpc = useTRPC();
  const delivery = useQuery(
    trpc.deliveries.get.queryOptions({ delivery_id: deliveryId ?? '' }, { enabled: deliveryId !== undefined }),
  );
  const event = useQuery(
    trpc.events.get.queryOptions(
      { event_id: delivery.data?.event_id ?? '' },
      { enabled: delivery.data !== undefined, retry: false },
    ),
  );
  if (delivery.isLoading || event.isLoading) return { start: undefined, isLoading: true };
  const attempt = delivery.data?.attempts.at(-1);
  if (!delivery.data || !attempt) return { start: undefined, isLoading: false };
  return {
    isLoading: false,
    start: {
      endpointId: delivery.data.endpoint_id,
      headers: headerLines(attempt.request_headers ?? {}),
      body: event.data === undefined ? '' : JSON.stringify(event.data),
      at: attempt.at,
    },
  };
}
