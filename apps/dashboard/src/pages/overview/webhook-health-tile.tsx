import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Instant } from '../../components/time.tsx';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';
import { BigFigure, Note, Tile } from './tile.tsx';
import { deliveredShare, troubleOf } from './webhook-health-tile.view.ts';

type Health = Outputs['webhookEndpoints']['health'];
type Endpoint = Outputs['webhookEndpoints']['list']['data'][number];

/** Polling interval: finished deliveries emit no event. */
const READ_MS = 15_000;
const MAX_NAMED = 4;

export function WebhookHealthTile({
  companyId,
  className,
}: {
  companyId: string;
  className?: string;
}): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhookEndpoints.health.queryOptions({ company_id: companyId }, { refetchInterval: READ_MS }),
  );
  return (
    <Tile
      title="Webhook health"
      query={query}
      className={className}
      actions={() => (
        <Link to="/settings/webhooks" className="text-sm text-accent underline">
          Open webhooks
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
  const endpoints = useEndpoints(READ_MS);
  if (!endpoints.data) return endpoints.error == null ? null : <Note>Endpoints are unavailable.</Note>;
  const { has_more } = endpoints.data;
  const data = endpoints.data.data.filter(({ company_id }) => company_id === null || company_id === companyId);
  if (data.length === 0) {
    return <p className="mt-3 text-sm text-muted">No endpoint yet. Create one under Webhooks to receive events.</p>;
  }
  const failing = data.flatMap((endpoint) => {
    const trouble = troubleOf(endpoint);
    return trouble === undefined ? [] : [{ endpoint, trouble }];
  });
  const all = `${data.length}${has_more ? '+' : ''} ${data.length === 1 ? 'endpoint' : 'endpoints'}`;
  return (
    <div className="mt-3 text-sm">
      <p className={failing.length === 0 ? 'text-muted' : 'font-semibold text-bad'}>
        {failing.length === 0 ? `${all}, all healthy` : `${failing.length} of ${all} unhealthy`}
      </p>
      {failing.length > 0 && (
        <ul aria-label="Unhealthy endpoints" className="mt-1 flex flex-col">
          {failing.slice(0, MAX_NAMED).map(({ endpoint, trouble }) => (
            <FailingEndpoint key={endpoint.id} endpoint={endpoint} trouble={trouble} />
          ))}
          {failing.length > MAX_NAMED && (
            <li className="pt-1.5 text-xs text-muted">and {failing.length - MAX_NAMED} more</li>
          )}
        </ul>
      )}
    </div>
  );
}

function FailingEndpoint({ endpoint, trouble }: { endpoint: Endpoint; trouble: string }): React.JSX.Element {
  return (
    <li className="border-b py-1.5 last:border-b-0">
      <Link
        to="/settings/webhooks/$endpointId"
        params={{ endpointId: endpoint.id }}
        className="block truncate underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {endpoint.description ?? endpoint.url}
      </Link>
      <span className="text-xs text-muted">{trouble}</span>
    </li>
  );
}
