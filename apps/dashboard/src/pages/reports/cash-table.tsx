import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ExactAmount } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SideScroll } from '../../components/side-scroll.tsx';
import { Loaded } from '../../components/states.tsx';
import type { Amount } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { monthAfter } from '../../lib/periods.ts';
import { BalancesLink, TransactionsLink } from '../overview/figure-link.tsx';
import { useMonthly, useOverviewQueries } from '../overview/overview-queries.ts';
import { transactionSearch } from '../overview/rows.view.ts';
import { NoTotal } from './no-total.tsx';
import { type ReportFigures, reportFigures, runwayToday } from './report.view.ts';

interface CashTableProps {
  month: string;
  /** Months that the monthly figures must have. */
  months: number;
  isOpen: boolean;
}

/** Cash at the start and the end, what came in and went out, burn and runway. */
export function CashTable({ month, months, isOpen }: CashTableProps): React.JSX.Element {
  const { id, base_currency: base } = useCompany();
  const query = useMonthly(id, months);
  return (
    <Panel title="Cash and burn">
      <Loaded query={query} label="Loading cash and burn" lines={7}>
        {(monthly) => {
          const figures = reportFigures(monthly, month, base);
          return figures.length === 0 ? (
            <p className="text-sm text-muted">No cash and no transactions in {formatMonth(month)}.</p>
          ) : (
            <>
              <Figures month={month} figures={figures} isOpen={isOpen} />
              <p className="mt-3 text-xs text-muted">
                Other changes are transfers, financing, purchases by card that aren’t paid yet, exchange rates and
                movements without a transaction.{' '}
                <Link
                  to="/transactions"
                  search={transactionSearch({ months: [month], leftOut: true })}
                  className="text-accent underline"
                >
                  Transactions not counted in money in or out
                </Link>
              </p>
              <NoTotal missing={monthly.rates_missing} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface FiguresProps {
  month: string;
  figures: readonly ReportFigures[];
  isOpen: boolean;
}

function Figures({ month, figures, isOpen }: FiguresProps): React.JSX.Element {
  const { id } = useCompany();
  const runway = useQuery({ ...useOverviewQueries(id).runway, enabled: isOpen }).data;
  const amount = (value: Amount, currency: string) => <ExactAmount {...value} currency={currency} />;
  const cash = (name: string, until: string | undefined, value: Amount, { currency, rowsIn }: ReportFigures) => (
    <BalancesLink currency={rowsIn} until={until} title={`${name}: the balances`}>
      {amount(value, currency)}
    </BalancesLink>
  );
  const flow = (direction: 'in' | 'out', value: Amount, { currency, rowsIn }: ReportFigures) => (
    <TransactionsLink
      rows={{ months: [month], currency: rowsIn, direction }}
      title={`Transactions of ${formatMonth(month)}`}
    >
      {amount(value, currency)}
    </TransactionsLink>
  );
  const rows: ReadonlyArray<readonly [name: string, of: (one: ReportFigures) => ReactNode]> = [
    ['Cash at the start', (one) => cash('Cash at the start', monthAfter(month, -1), one.start, one)],
    ['Money in', (one) => flow('in', one.moneyIn, one)],
    ['Money out (gross burn)', (one) => flow('out', one.moneyOut, one)],
    ['Other changes of cash', (one) => amount(one.other, one.currency)],
    [isOpen ? 'Cash now' : 'Cash at the end', (one) => cash('Cash', isOpen ? undefined : month, one.end, one)],
    ['Net (in − out)', (one) => amount(one.net, one.currency)],
    ['Net burn, three-month average', (one) => amount(one.burn, one.currency)],
    [isOpen ? 'Runway now' : 'Runway at the end', (one) => (isOpen ? runway && runwayToday(one, runway) : one.runway)],
  ];
  const isTotal = (one: ReportFigures): boolean => one.rowsIn === undefined;
  return (
    <SideScroll label="Cash and burn">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">Cash and burn of {formatMonth(month)}</caption>
        <thead>
          <tr className="border-b text-muted">
            <th scope="col" className="py-2 text-left font-medium">
              <span className="sr-only">Figure</span>
            </th>
            {figures.map((one) => (
              <th key={`${one.rowsIn}`} scope="col" className="py-2 pl-6 text-right font-medium whitespace-nowrap">
                {isTotal(one) ? `Total in ${one.currency}` : one.currency}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, of]) => (
            <tr key={name} className="border-b last:border-b-0">
              <th scope="row" className="min-w-32 py-2 text-left font-normal">
                {name}
              </th>
              {figures.map((one) => (
                <td key={`${one.rowsIn}`} className="py-2 pl-6 text-right font-medium whitespace-nowrap tabular-nums">
                  {of(one)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  );
}
