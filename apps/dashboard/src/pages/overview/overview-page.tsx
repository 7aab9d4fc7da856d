import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Loading } from '../../components/states.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';
import { BurnTile } from './burn-tiles.tsx';
import { CashTile } from './cash-tile.tsx';
import { DataHealthTile } from './data-health-tile.tsx';
import { GettingStarted } from './getting-started.tsx';
import { MonthTile } from './month-tiles.tsx';
import { MONTHS_SHOWN } from './months-shown.ts';
import { RunwayTile } from './runway-tile.tsx';
import { useCash } from './use-cash.ts';
import { useIsEmpty } from './use-is-empty.ts';
import { WebhookHealthTile } from './webhook-health-tile.tsx';

// The chart library is large, so the figures render first.
const Plots = lazy(() => import('./plots/plots.tsx').then((module) => ({ default: module.Plots })));

export function OverviewPage(): React.JSX.Element {
  return (
    <NeedsCompany>
      <Overview />
    </NeedsCompany>
  );
}

function Overview(): React.JSX.Element {
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
      {isEmpty && <GettingStarted company={company} />}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <CashTile companyId={company.id} className="sm:col-span-2" />
        <RunwayTile companyId={company.id} className="sm:col-span-2" />
        <BurnTile companyId={company.id} kind="net" />
        <BurnTile companyId={company.id} kind="gross" />
        <MonthTile company={company} side="in" />
        <MonthTile company={company} side="out" />
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

/** True during the first reads that decide the tiles' height: showing tiles one by one would shift the layout. */
function useIsReading(companyId: string): boolean {
  const trpc = useTRPC();
  const input = { company_id: companyId };
  const cash = useCash(companyId);
  const endpoints = useEndpoints(false);
  const others = useQueries({
    queries: [
      trpc.cash.history.queryOptions({ ...input, days: 90 }),
      trpc.financials.runway.queryOptions(input),
      trpc.financials.burn.queryOptions(input),
      trpc.financials.monthly.queryOptions({ ...input, months: MONTHS_SHOWN }),
      trpc.financials.dataQuality.queryOptions(input),
      trpc.financials.freshness.queryOptions(input),
      trpc.webhookEndpoints.health.queryOptions(input),
    ],
  });
  const [isRead, setRead] = useState(false);
  // A failed read does not hold up the others. Only first attempts count: a retry makes a query pending again.
  const isFirst = ({ isPending, failureCount }: { isPending: boolean; failureCount: number }): boolean =>
    isPending && failureCount === 0;
  if (!isRead && ![cash, endpoints, ...others].some(isFirst)) setRead(true);
  return !isRead;
}
