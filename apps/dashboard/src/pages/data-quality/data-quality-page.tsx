import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Loaded } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import {
  type DataQuality,
  failedChecks,
  findingsOf,
  issuesText,
  tabToShow,
  unexplainedFirst,
} from './data-quality.view.ts';
import { ChangedDuplicates, FailedChecks, StaleAccounts, SuspectedTransfers, Warnings } from './findings.tsx';
import { UnexplainedBalances } from './unexplained-balances.tsx';

export function DataQualityPage(): React.JSX.Element {
  return (
    <Page title="Data quality">
      <NeedsCompany>
        <Findings />
      </NeedsCompany>
    </Page>
  );
}

function Findings(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const query = useQuery(trpc.financials.dataQuality.queryOptions({ company_id: company.id }));
  return (
    <Loaded query={query} label="Loading issues" lines={6}>
      {(quality) => <FindingTabs quality={quality} />}
    </Loaded>
  );
}

function FindingTabs({ quality }: { quality: DataQuality }): React.JSX.Element {
  const { tab } = useSearch({ from: '/shell/data-quality' });
  const navigate = useNavigate({ from: '/data-quality' });
  const contents = {
    checks: <FailedChecks rows={failedChecks(quality.snapshots)} />,
    stale: <StaleAccounts />,
    unexplained: <UnexplainedBalances rows={unexplainedFirst(quality.reconciliation)} />,
    duplicates: <ChangedDuplicates {...quality.changed_duplicates} />,
    transfers: <SuspectedTransfers {...quality.suspected_transfers} />,
    warnings: <Warnings rows={quality.warnings} />,
  };
  const findings = findingsOf(quality);
  return (
    <>
      <p className="text-sm text-muted">{issuesText(findings)}</p>
      <Tabs
        label="Issue types"
        tabs={findings.map(({ id, title, count, atLeast }) => ({
          id,
          title: `${title} (${count}${atLeast ? '+' : ''})`,
          content: contents[id],
        }))}
        value={tabToShow(tab, findings)}
        onChange={(next) => void navigate({ search: (now) => ({ ...now, tab: next }), replace: true })}
      />
    </>
  );
}
