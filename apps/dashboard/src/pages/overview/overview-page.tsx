import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Loading } from '../../components/states.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';
import { CashTile } from './cash-tile.tsx';
import { DataHealthTile } from './data-health-tile.tsx';
import { BurnTile, MonthTile } from './flow-tiles.tsx';
import { GettingStarted, useProviderKeys } from './getting-started.tsx';
import { useCash, useOverviewQueries } from './overview-queries.ts';
import { RunwayTile } from './runway-tile.tsx';
import { WebhookHealthTile } from './webhook-health-tile.tsx';

// The chart library is large, so the figures render first.
const Plots = lazy(() => import('./plots/plots.tsx').then((module) => ({ default: module.Plots })));

export function OverviewPage(): React.JSX.Element {
  const company = useCompany();
  const isEmpty = useIsEmpty(company.id);
  if (useIsReading(company.id)) {
    return (
      <Page title="Overview" intro={company.name}>
        <Loading label="Loading the overview" lines={12} />
      </Page>
    );
  }
  return (
    <Page title="Overview" intro={company.name}>
      <GettingStarted company={company} isEmpty={isEmpty} />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <CashTile companyId={company.id} className="sm:col-span-2" />
        <RunwayTile companyId={company.id} className="sm:col-span-2" />
        <BurnTile kind="net" />
        <BurnTile kind="gross" />
        <MonthTile side="in" />
        <MonthTile side="out" />
        <DataHealthTile companyId={company.id} className="sm:col-span-2" />
        <WebhookHealthTile companyId={company.id} className="sm:col-span-2" />
      </div>
      {!isEmpty && (
        <Suspense fallback={<Loading label="Loading charts" lines={6} />}>
          <Plots company={company} />
        </Suspense>
      )}
    </Page>
  );
}

function useIsEmpty(companyId: string): boolean {
  const queries = useOverviewQueries(companyId);
  const freshness = useQuery(queries.freshness);
  const history = useQuery(queries.history);
  return freshness.data?.grade === 'never' && history.data?.streams.length === 0;
}

/** True during the first reads that decide the tiles' height: showing tiles one by one would shift the layout. */
function useIsReading(companyId: string): boolean {
  const trpc = useTRPC();
  const cash = useCash(companyId);
  const endpoints = useEndpoints(false);
  const keys = useProviderKeys();
  const { history, runway, burn, monthly, dataQuality, freshness } = useOverviewQueries(companyId);
  const health = trpc.webhookEndpoints.health.queryOptions({ company_id: companyId });
  const others = useQueries({ queries: [history, runway, burn, monthly, dataQuality, freshness, health] });
  const [isRead, setRead] = useState(false);
  // A failed query does not hold up the others. Only first attempts count: a retry makes a query pending again.
  const isFirst = ({ isPending, failureCount }: { isPending: boolean; failureCount: number }): boolean =>
    isPending && failureCount === 0;
  const isKeysFirst = isFirst(keys) && keys.isEnabled;
  if (!isRead && !isKeysFirst && ![cash, endpoints, ...others].some(isFirst)) setRead(true);
  return !isRead;
}
