import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ExactAmount } from '../../../components/money.tsx';
import { Panel } from '../../../components/page.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { Loaded } from '../../../components/states.tsx';
import { useTRPC } from '../../../lib/trpc.ts';
import { dayStart } from '../../../lib/zoned-time.ts';
import { monthsText } from '../burn.view.ts';
import { TransactionsLink } from '../figure-link.tsx';
import { useOverviewQueries } from '../overview-queries.ts';
import { lastDayOf } from '../rows.view.ts';
import { type Breakdown, exactLabel, type SpendLine, spendLines } from './spend.view.ts';

/** Spending by category and vendor, with the change against the months before. */
export function SpendPanels(): React.JSX.Element {
  const { id } = useCompany();
  const { spendByCategory, spendByVendor } = useOverviewQueries(id);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <SpendPanel title="Spend by category" query={useQuery(spendByCategory)} />
      <SpendPanel title="Spend by vendor" query={useQuery(spendByVendor)} />
    </div>
  );
}

function SpendPanel({ title, query }: { title: string; query: UseQueryResult<Breakdown, unknown> }) {
  return (
    <Panel title={title}>
      <Loaded query={query} label={title} lines={7}>
        {(breakdown) => <Spend title={title} breakdown={breakdown} />}
      </Loaded>
    </Panel>
  );
}

function Spend({ title, breakdown }: { title: string; breakdown: Breakdown }): React.JSX.Element {
  const lines = spendLines(breakdown);
  const labels = useLabels(breakdown);
  const months = breakdown.months.map(({ month }) => month);
  if (lines.length === 0) return <p className="text-sm text-muted">No money out in {monthsText(months)}.</p>;
  return (
    <>
      <p className="text-xs text-muted">
        {monthsText(months)}, money out in {breakdown.currency} only
        {breakdown.compared_from !== null && breakdown.compared_to !== null && (
          <>, against {monthsText([breakdown.compared_from, breakdown.compared_to])}</>
        )}
      </p>
      <table className="mt-2 w-full border-collapse text-sm">
        <caption className="sr-only">{title}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Money out</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.label} line={line}>
              <Rows breakdown={breakdown} months={months} line={line} label={exactLabel(line, labels)}>
                <ExactAmount {...line.total} currency={breakdown.currency} />
              </Rows>
            </Line>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Line({ line, children }: { line: SpendLine; children: ReactNode }): React.JSX.Element {
  return (
    <tr>
      <th scope="row" className="w-1/2 py-1.5 pr-3 text-left font-normal wrap-anywhere">
        {line.label}
        <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-sunken">
          <span className="block h-full rounded-full bg-series-2" style={{ width: `${line.share}%` }} />
        </span>
      </th>
      <td className="py-1.5 text-right align-top font-medium">{children}</td>
      <td className="w-16 py-1.5 pl-3 text-right align-top whitespace-nowrap text-muted tabular-nums">{line.change}</td>
    </tr>
  );
}

interface RowsProps {
  breakdown: Breakdown;
  months: readonly string[];
  line: SpendLine;
  label: string | undefined;
  children: ReactNode;
}

/** Opens the rows of the line, or all of these months where the list can't select them. */
function Rows({ breakdown: { by, currency }, months, line, label, children }: RowsProps): React.JSX.Element {
  const what = label === undefined ? 'All money out' : line.label;
  return (
    <TransactionsLink
      rows={{ months, currency, direction: 'out', ...(label !== undefined && { [by]: label }) }}
      title={`${what}, ${monthsText(months)}`}
    >
      {children}
    </TransactionsLink>
  );
}

const READ = 200;

/** The labels of the newest rows of these months: a category is in lower case, a vendor has its name. */
function useLabels({ by, months, currency, company_id }: Breakdown): ReadonlyArray<string | null> {
  const trpc = useTRPC();
  const { timezone } = useCompany();
  const [first, last] = [months[0]?.month ?? '', months.at(-1)?.month ?? ''];
  const { data } = useQuery(
    trpc.bank.transactions.list.queryOptions(
      {
        company_id,
        currency,
        direction: 'out',
        limit: READ,
        posted_from: dayStart(`${first}-01`, timezone),
        posted_to: dayStart(lastDayOf(last), timezone, 1),
      },
      { enabled: by === 'category' },
    ),
  );
  return data?.data.map(({ category }) => category) ?? [];
}
