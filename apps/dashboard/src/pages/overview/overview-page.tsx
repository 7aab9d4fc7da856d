import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useDeferredValue, useEffect, useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { useInbox } from '../../components/shell/inbox.ts';
import { Loading } from '../../components/states.tsx';
import { useConnectionQueries } from '../../lib/connection-names.ts';
import { isFirstTry } from '../../lib/first-read.ts';
import { formatLongMonth } from '../../lib/format-time.ts';
import { monthAfter } from '../../lib/periods.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';
import { useLargeInflows } from './answers/large-inflow.tsx';
import { NeedsYou } from './answers/needs-you.tsx';
import { BurnPanel } from './burn-panel.tsx';
import { CashPanel } from './cash-panel.tsx';
import { FirstSteps, ProgressLine, useProviderKeys } from './getting-started.tsx';
import { useCash, useForecast, useOverviewQueries } from './overview-queries.ts';
import { MonthsPanel } from './plots/monthly-plot.tsx';
import { RunwayPanel } from './runway-panel.tsx';
import { SpendPanels } from './spend/spend-panels.tsx';
import { StatementsPanel } from './statements-panel.tsx';

const WhatIf = lazy(() => import('./what-if/what-if.tsx').then((module) => ({ default: module.WhatIf })));

export function OverviewPage(): React.JSX.Element {
  const company = useCompany();
  const isEmpty = useIsEmpty(company.id);
  const { what_if, changes = '', changes_in } = useSearch({ from: '/shell/company/' });
  const isRead = useIsRead(company.id);
  // On the way back to this page everything is drawn at once, which restores the scroll position.
  const [wasRead] = useState(isRead);
  if (!isRead) {
    return (
      <Page title="Overview" intro={company.name}>
        <Loading label="Loading the overview" lines={12} />
      </Page>
    );
  }
  return (
    <Page title="Overview" intro={company.name} actions={isEmpty ? undefined : <ReportLink />}>
      <NeedsYou />
      {isEmpty && <FirstSteps company={company} />}
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <CashPanel />
        <RunwayPanel />
        <BurnPanel />
      </div>
      {!isEmpty && (
        <>
          <ProgressLine company={company} />
          <PanelsBelow isAtOnce={wasRead} />
        </>
      )}
      {what_if !== undefined && (
        <Suspense fallback={null}>
          <WhatIf text={changes} currency={changes_in} />
        </Suspense>
      )}
    </Page>
  );
}

/** Read and drawn once the figures above them are shown. */
function PanelsBelow({ isAtOnce }: { isAtOnce: boolean }): React.JSX.Element {
  if (!useDeferredValue(true, isAtOnce)) return <Loading label="Loading charts" lines={12} />;
  return (
    <>
      <MonthsPanel />
      <SpendPanels />
      <StatementsPanel />
    </>
  );
}

/** The report of the last month that has ended. */
function ReportLink(): React.JSX.Element {
  const month = monthAfter(todayIn(useCompany().timezone), -1);
  return (
    <Link to="/reports/$month" params={{ month }} className={buttonClass()}>
      Report for {formatLongMonth(month)}
    </Link>
  );
}

function useIsEmpty(companyId: string): boolean {
  const cash = useCash(companyId).data;
  const quality = useQuery(useOverviewQueries(companyId).dataQuality).data;
  return quality?.freshness.grade === 'never' && cash?.streams.length === 0 && cash.excluded.length === 0;
}

/** False during the first reads that decide the tiles' height: showing tiles one by one would shift the layout. */
function useIsRead(companyId: string): boolean {
  const cash = useCash(companyId);
  const endpoints = useEndpoints(false);
  const keys = useProviderKeys();
  const forecast = useForecast(companyId);
  const inbox = useInbox().query;
  const { history, runway, burn, monthly, dataQuality, settings, overdueFilings, agents } =
    useOverviewQueries(companyId);
  const others = useQueries({
    queries: [history, runway, burn, monthly, dataQuality, settings, overdueFilings, agents],
  });
  const names = useConnectionQueries(companyId);
  const inflows = useLargeInflows(companyId);
  const isWaiting = [keys, cash, endpoints, forecast, inbox, ...others, ...names, ...inflows].some(isFirstTry);
  const [isRead, setRead] = useState(!isWaiting);
  useEffect(() => {
    // A transition is drawn in short tasks, between which the page responds.
    if (!isWaiting) startTransition(() => setRead(true));
  }, [isWaiting]);
  return isRead;
}
