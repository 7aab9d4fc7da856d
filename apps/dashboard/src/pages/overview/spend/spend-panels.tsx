import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../../components/page.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { Loaded } from '../../../components/states.tsx';
import type { Breakdown } from '../../spending/breakdown.view.ts';
import { useOverviewQueries } from '../overview-queries.ts';
import { SpendList } from './spend-list.tsx';

const MOST_LINES = 7;

/** Spending by category and vendor, with the change against the months before. */
export function SpendPanels(): React.JSX.Element {
  const { id } = useCompany();
  const { spendByCategory, spendByVendor } = useOverviewQueries(id);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <SpendPanel title="Spending by category" query={useQuery(spendByCategory)} />
      <SpendPanel title="Spending by vendor" query={useQuery(spendByVendor)} />
    </div>
  );
}

function SpendPanel({ title, query }: { title: string; query: UseQueryResult<Breakdown, unknown> }) {
  return (
    <Panel title={title} actions={query.data && <SpendingLink breakdown={query.data} />}>
      <Loaded query={query} label={title} lines={7}>
        {(breakdown) => <SpendList title={title} breakdown={breakdown} most={MOST_LINES} />}
      </Loaded>
    </Panel>
  );
}

/** The page with all lines of the same months. */
function SpendingLink({ breakdown: { by, months } }: { breakdown: Breakdown }): React.JSX.Element {
  const [from, to] = [months[0]?.month, months.at(-1)?.month];
  return (
    <Link
      to="/spending"
      search={{ period: 'custom', from, to, by: by === 'category' ? undefined : by }}
      className="text-sm text-accent underline"
    >
      All spending<span className="sr-only"> by {by === 'category' ? by : 'vendor'}</span>
    </Link>
  );
}
