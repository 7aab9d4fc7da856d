import { lazy, Suspense } from 'react';
import { useCompany } from '../../shell/company-context.ts';
import { NeedsCompany } from '../../shell/needs-company.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { BurnTile } from './burn-tiles.tsx';
import { CashTile } from './cash-tile.tsx';
import { DataHealthTile } from './data-health-tile.tsx';
import { GettingStarted } from './getting-started.tsx';
import { MonthTile } from './month-tiles.tsx';
import { RunwayTile } from './runway-tile.tsx';
import { useIsEmpty } from './use-is-empty.ts';
import { WebhookHealthTile } from './webhook-health-tile.tsx';

// The drawing library is large: the figures are there before it.
const Plots = lazy(() => import('./plots/plots.tsx').then((module) => ({ default: module.Plots })));

/** Cash, runway and burn at a glance, what may be wrong with them, and how they came about. */
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
        <WebhookHealthTile className="sm:col-span-2" />
      </div>
      {!isEmpty && (
        <Suspense fallback={<Loading label="Loading the plots" lines={6} />}>
          <Plots company={company} />
        </Suspense>
      )}
    </Page>
  );
}
