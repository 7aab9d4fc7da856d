import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Instant } from '../../components/time.tsx';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';
import { BigFigure, Note, Tile } from './tile.tsx';
import { deliveredShare, unhealthyReason } from './webhook-health-tile.view.ts';

type Health = Outputs['webhookEndpoints']['health'];
type Endpoint = Outputs['webhookEndpoints']['list']['data'][number];

/** Polling interval: finished deliveries emit no event. */
const REFETCH_MS = 15_000;
const MAX_NAMED = 4;

export function WebhookHealthTile({ companyId, className }: { companyId: string; className?: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhookEndpoints.health.queryOptions({ company_id: companyId }, { refetchInterval: REFETCH_MS }),
  );
  return (
    <Tile
      title="Webhook health"
      query={query}
      className={className}
      actions={() => (
        <Link to="/settings/webhooks" className="text-sm text-accent underline">
          View webhooks
        </Link>
      )}
    >
      {(health) => (
        <>
          <BigFigure>{deliveredShare(health) ?? '–'}</BigFigure>
          <Counts health={health} />
          <Endpoints companyId={companyId} />
        </>
      )}
    </Tile>
  );
}

function Counts({ health }: { health: Health }): React.JSX.Element {
  const { succeeded, failed, retrying, waiting, counted_from } = health;
  const tried = succeeded + failed + retrying;
  const count = (n: number): string => n.toLocaleString('en');
  const period =
    counted_from === null ? (
      'in the last 24 hours'
    ) : (
      <>
        since <Instant at={counted_from} />
      </>
    );
  return (
    <Note>
      {tried === 0 ? (
        <>No delivery attempts {period}.</>
      ) : (
        <>
          {count(succeeded)} of {count(tried)} deliveries {period} succeeded; {count(failed)} failed, {count(retrying)}{' '}
          retrying.
        </>
      )}
      {waiting > 0 && ` ${count(waiting)} pending.`}
    </Note>
  );
}

function Endpoints({ companyId }: { companyId: string }): React.JSX.Element | null {
  const endpoints = useEndpoints(REFETCH_MS);
  if (!endpoints.data) return endpoints.error == null ? null : <Note>Endpoints are unavailable.</Note>;
  const { has_more } = endpoints.data;
  const data = endpoints.data.data.filter(({ company_id }) => company_id === null || company_id === companyId);
  if (data.length === 0) {
    return <p className="mt-3 text-sm text-muted">No endpoints yet. Add one under Webhooks to receive events.</p>;
  }
  const failing = data.flatMap((endpoint) => {
    const reason = unhealthyReason(endpoint);
    return reason === undefined ? [] : [{ endpoint, reason }];
  });
  const all = `${data.length}${has_more ? '+' : ''} ${data.length === 1 ? 'endpoint' : 'endpoints'}`;
  return (
    <div className="mt-3 text-sm">
      <p className={failing.length === 0 ? 'text-muted' : 'font-semibold text-bad'}>
        {failing.length === 0 ? `${all}, all healthy` : `${failing.length} of ${all} unhealthy`}
      </p>
      {failing.length > 0 && (
        <ul aria-label="Unhealthy endpoints" className="mt-1 flex flex-col">
          {failing.slice(0, MAX_NAMED).map(({ endpoint, reason }) => (
            <FailingEndpoint key={endpoint.id} endpoint={endpoint} reason={reason} />
          ))}
          {failing.length > MAX_NAMED && (
            <li className="pt-1.5 text-xs text-muted">and {failing.length - MAX_NAMED} more</li>
          )}
        </ul>
      )}
    </div>
  );
}

function FailingEndpoint({ endpoint, reason }: { endpoint: Endpoint; reason: string }): React.JSX.Element {
  return (
    <li className="border-b py-1.5 last:border-b-0">
      <Link
        to="/settings/webhooks/$endpointId"
        params={{ endpointId: endpoint.id }}
        className="block truncate underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {endpoint.description ?? endpoint.url}
      </Link>
      <span className="text-xs text-muted">{reason}</span>
    </li>
  );
}
