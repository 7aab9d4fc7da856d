import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { findingsOf } from '../overview/data-health-tile.view.ts';
import { ChangedDuplicates } from './changed-duplicates.tsx';
import { failedChecks, tabToShow, unexplainedFirst } from './data-quality.view.ts';
import { FailedChecks } from './failed-checks.tsx';
import { StaleConnections } from './stale-connections.tsx';
import { SuspectedTransfers } from './suspected-transfers.tsx';
import { UnexplainedBalances } from './unexplained-balances.tsx';
import { Warnings } from './warnings.tsx';

export function DataQualityPage(): React.JSX.Element {
  return (
    <Page title="Data quality" intro="Issues found in the data you posted. Nothing was rejected.">
      <NeedsCompany>
        <Findings />
      </NeedsCompany>
    </Page>
  );
}

function Findings(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const { tab } = useSearch({ from: '/shell/data-quality' });
  const navigate = useNavigate({ from: '/data-quality' });
  const query = useQuery(trpc.financials.dataQuality.queryOptions({ company_id: company.id }));
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loading label="Reading the findings" lines={6} />;
  const { snapshots, reconciliation, changed_duplicates, suspected_transfers, warnings } = query.data;
  const contents = {
    checks: <FailedChecks rows={failedChecks(snapshots)} />,
    stale: <StaleConnections />,
    unexplained: <UnexplainedBalances rows={unexplainedFirst(reconciliation)} />,
    duplicates: <ChangedDuplicates rows={changed_duplicates.latest} />,
    transfers: <SuspectedTransfers {...suspected_transfers} />,
    warnings: <Warnings rows={warnings} />,
  };
  const findings = findingsOf(query.data);
  const tabs = findings.map(({ id, title, count, atLeast }) => ({
    id,
    title: `${title} (${count}${atLeast ? '+' : ''})`,
    content: contents[id],
  }));
  return (
    <Tabs
      label="Kinds of findings"
      tabs={tabs}
      value={tabToShow(tab, findings)}
      onChange={(next) => void navigate({ search: (now) => ({ ...now, tab: next }), replace: true })}
    />
  );
}
