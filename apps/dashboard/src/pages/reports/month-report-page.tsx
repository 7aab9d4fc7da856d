import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter } from '@tanstack/react-router';
import { Button, buttonClass } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NotFoundPage } from '../../components/shell/fallback-pages.tsx';
import { Loaded } from '../../components/states.tsx';
import { formatDay, formatLongMonth, formatMonth } from '../../lib/format-time.ts';
import { monthAfter } from '../../lib/periods.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { useMonthly } from '../overview/overview-queries.ts';
import { SpendList } from '../overview/spend/spend-list.tsx';
import { spendingHeadline } from '../spending/headline.view.ts';
import { CashTable } from './cash-table.tsx';
import { monthsToRead } from './report.view.ts';
import { OpenIssues, Wires } from './report-lists.tsx';

/** Lines of categories and vendors; the rest is one line. */
const MOST_LINES = 10;

/** One month on a page that prints: cash, burn, spending, wires and open issues. */
export function MonthReportPage(): React.JSX.Element {
  const { month } = useParams({ from: '/shell/company/reports/$month' });
  const { timezone } = useCompany();
  const today = todayIn(timezone);
  const months = monthsToRead(month, today);
  return months === undefined ? <NotFoundPage /> : <MonthReport month={month} months={months} today={today} />;
}

interface MonthReportProps {
  month: string;
  months: number;
  today: string;
}

function MonthReport({ month, months, today }: MonthReportProps): React.JSX.Element {
  const company = useCompany();
  const trpc = useTRPC();
  const input = { company_id: company.id, from: month, to: month };
  const categories = useQuery(trpc.financials.breakdown.queryOptions({ ...input, by: 'category' }));
  const vendors = useQuery(trpc.financials.breakdown.queryOptions({ ...input, by: 'counterparty' }));
  const monthly = useMonthly(company.id, months).data;
  const isOpen = today.startsWith(month);
  return (
    <Page
      title={`Report for ${formatLongMonth(month)}`}
      intro={`${company.name} · ${isOpen ? 'so far, ' : ''}as of ${formatDay(today)}`}
      actions={<Actions month={month} isOpen={isOpen} />}
    >
      <Loaded query={vendors} label="Loading the headline" lines={1}>
        {(breakdown) => (
          <p className="max-w-prose text-lg font-medium">{spendingHeadline(breakdown, today, monthly)}</p>
        )}
      </Loaded>
      <CashTable month={month} months={months} isOpen={isOpen} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Categories">
          <Loaded query={categories} label="Loading categories" lines={7}>
            {(breakdown) => <SpendList title="Categories" breakdown={breakdown} most={MOST_LINES} />}
          </Loaded>
        </Panel>
        <Panel title="Vendors">
          <Loaded query={vendors} label="Loading vendors" lines={7}>
            {(breakdown) => <SpendList title="Vendors" breakdown={breakdown} most={MOST_LINES} />}
          </Loaded>
        </Panel>
      </div>
      <Wires month={month} />
      <OpenIssues today={today} />
    </Page>
  );
}

function Actions({ month, isOpen }: { month: string; isOpen: boolean }): React.JSX.Element {
  const { id } = useCompany();
  const router = useRouter();
  const [before, after] = [monthAfter(month, -1), monthAfter(month, 1)];
  const { href } = router.buildLocation({ to: '/reports/$month', params: { month }, search: { company: id } });
  const small = buttonClass('plain', 'small');
  return (
    <>
      <Link to="/reports/$month" params={{ month: before }} className={small}>
        ← {formatMonth(before)}
      </Link>
      {!isOpen && (
        <Link to="/reports/$month" params={{ month: after }} className={small}>
          {formatMonth(after)} →
        </Link>
      )}
      <Link to="/spending" search={{ period: 'custom', from: month, to: month }} className={small}>
        Spending
      </Link>
      <CopyButton text={new URL(href, globalThis.location.origin).href} label="Copy link" />
      <Button size="small" onClick={() => globalThis.print()}>
        Print
      </Button>
    </>
  );
}
