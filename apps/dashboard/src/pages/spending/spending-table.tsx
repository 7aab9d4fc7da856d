import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Money } from '../../components/money.tsx';
import { SideScroll } from '../../components/side-scroll.tsx';
import { opensOnPress, rowLink } from '../../components/table-cells.tsx';
import { bigOf } from '../../lib/exact-cents.ts';
import { formatCount } from '../../lib/format-number.ts';
import { monthsText } from '../overview/burn.view.ts';
import { type RowFilter, transactionSearch } from '../overview/rows.view.ts';
import { type Breakdown, type BreakdownLine, beforeOf, changeText, rowsOfLine, shareOf } from './breakdown.view.ts';
import { pressed, type Sort, type SortName, sorted } from './sort.view.ts';
import { Sparkline } from './sparkline.tsx';
import type { MonthAmount } from './trend.view.ts';

const names = { category: 'Category', counterparty: 'Vendor', connection: 'Account' } as const;
const leftOutNames = [
  ['transfer', 'transfers', 'transfer'],
  ['financing', 'financing', 'financing'],
  ['excluded', 'excluded transactions', 'excluded'],
] as const;

const cell = 'px-2 py-2 first:pl-5 last:pr-5 md:px-3';
const figure = `${cell} text-right whitespace-nowrap tabular-nums`;
/** The padding of the last column on a narrow screen. */
const edge = 'max-lg:pr-5';
/** Percent below which a share is not told exactly. */
const LEAST_SHARE = 0.1;

const wide = 'hidden md:table-cell';
const wider = 'hidden xl:table-cell print:table-cell';

interface SpendingTableProps {
  breakdown: Breakdown;
  lines: readonly BreakdownLine[];
  trends: ReadonlyMap<string | null, readonly MonthAmount[]> | undefined;
  account: string | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** What was spent by name, with a footer that adds up to the gross burn, and what does not count below it. */
export function SpendingTable(props: SpendingTableProps): React.JSX.Element {
  const { breakdown, lines, trends, account, sort, onSort } = props;
  const { by, currency, months } = breakdown;
  const total = bigOf(breakdown.total_cents, breakdown.total_string);
  const title = `Spending by ${names[by].toLowerCase()}`;
  const period = monthsText(months.map(({ month }) => month));
  const hasComparison = breakdown.compared_from !== null;
  return (
    <SideScroll label={title}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{`${title}, ${period}, in ${currency}`}</caption>
        <Head breakdown={breakdown} sort={sort} onSort={onSort} />
        <tbody>
          {sorted(lines, sort).map((line) => (
            <tr key={`${line.key}`} className={`relative border-b align-middle ${opensOnPress}`}>
              <th scope="row" className={`${cell} min-w-24 text-left font-normal wrap-anywhere`}>
                {/* No filter selects the transactions of the others. */}
                {line.key === undefined ? (
                  line.label
                ) : (
                  <RowLink
                    rows={rowsOfLine({ breakdown, key: line.key, account })}
                    title={`Transactions of ${line.label}, ${period}`}
                  >
                    {line.label}
                  </RowLink>
                )}
              </th>
              <td className={`${cell} ${wider}`}>
                {line.key === undefined ? null : <Sparkline months={trends?.get(line.key) ?? []} currency={currency} />}
              </td>
              <td className={`${figure} font-medium`}>
                <Money cents={`${line.total}`} currency={currency} />
              </td>
              <td className={`${cell} ${wide}`}>
                <Share percent={shareOf(line.total, total)} />
              </td>
              {hasComparison && <Compared {...line} currency={currency} />}
              <td className={`${figure} hidden lg:table-cell`}>{formatCount(line.transactions)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className={`relative border-t border-line-strong font-semibold ${opensOnPress}`}>
            <th scope="row" className={`${cell} text-left font-semibold`}>
              <RowLink rows={rowsOfLine({ breakdown, account })} title={`All transactions that count, ${period}`}>
                {account === undefined ? 'Gross burn' : 'Total of the account'}
              </RowLink>
            </th>
            <td className={wider} />
            <td className={figure}>
              <Money cents={`${total}`} currency={currency} />
            </td>
            <td className={wide} />
            {hasComparison && <Compared total={total} before={beforeOf(breakdown)} currency={currency} />}
            <td className={`${figure} hidden lg:table-cell`}>
              {formatCount(lines.reduce((sum, { transactions }) => sum + transactions, 0))}
            </td>
          </tr>
          <LeftOut breakdown={breakdown} account={account} />
        </tfoot>
      </table>
    </SideScroll>
  );
}

function RowLink({
  rows,
  title,
  children,
}: {
  rows: RowFilter;
  title: string;
  children: ReactNode;
}): React.JSX.Element {
  return (
    <Link to="/transactions" search={transactionSearch(rows)} title={title} className={`${rowLink} hover:underline`}>
      {children}
    </Link>
  );
}

function Head({ breakdown, sort, onSort }: Pick<SpendingTableProps, 'breakdown' | 'sort' | 'onSort'>) {
  const { by, compared_from: from, compared_to: to } = breakdown;
  const header = (name: SortName, title: string, className: string): React.JSX.Element => (
    <th
      scope="col"
      aria-sort={sort.by === name ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className={`group ${cell} font-medium whitespace-nowrap text-muted ${className}`}
    >
      <button type="button" className="min-h-6 rounded-xs hover:text-text" onClick={() => onSort(pressed(sort, name))}>
        {/* Beside the title, on the side where the column has room. */}
        <span className="inline-flex gap-1 group-[.text-right]:flex-row-reverse">
          {title}
          {sort.by === name && <span aria-hidden>{sort.direction === 'asc' ? '↑' : '↓'}</span>}
        </span>
      </button>
    </th>
  );
  return (
    <thead>
      <tr className="border-b">
        {header('name', names[by], 'text-left')}
        <th scope="col" className={`${cell} text-left font-medium whitespace-nowrap text-muted ${wider}`}>
          12 months
        </th>
        {header('amount', 'Amount', 'text-right')}
        <th scope="col" className={`${cell} text-left font-medium text-muted ${wide}`}>
          Share
        </th>
        {from !== null && to !== null && (
          <>
            {header('previous', monthsText([from, to]), `text-right ${wide}`)}
            {header('change', 'Change', `text-right ${edge}`)}
          </>
        )}
        {header('rows', 'Transactions', 'hidden text-right lg:table-cell')}
      </tr>
    </thead>
  );
}

function Share({ percent }: { percent: number }): React.JSX.Element {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="block h-2 w-16 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-series-2" style={{ width: `${percent}%` }} />
      </span>
      <span className="text-xs whitespace-nowrap text-muted tabular-nums">
        {percent > 0 && percent < LEAST_SHARE ? `< ${LEAST_SHARE}` : percent.toFixed(1)} %
      </span>
    </span>
  );
}

interface ComparedProps {
  total: bigint;
  before: bigint | undefined;
  currency: string;
}

function Compared({ total, before, currency }: ComparedProps): React.JSX.Element {
  const change = before === undefined ? undefined : total - before;
  return (
    <>
      <td className={`${figure} text-muted ${wide}`}>
        {before === undefined ? '–' : <Money cents={`${before}`} currency={currency} />}
      </td>
      <td className={`${figure} ${edge}`}>
        {change === undefined ? (
          <span className="text-muted">–</span>
        ) : (
          <>
            {change > 0n && '+'}
            <Money cents={`${change}`} currency={currency} />
            <span className="block text-xs font-normal text-muted">{changeText(total, before)}</span>
          </>
        )}
      </td>
    </>
  );
}

/** Money out that is in no figure. */
function LeftOut({ breakdown, account }: Pick<SpendingTableProps, 'breakdown' | 'account'>): ReactNode {
  const { left_out: out, currency } = breakdown;
  const sums = {
    transfer: bigOf(out.transfer_cents, out.transfer_string),
    financing: bigOf(out.financing_cents, out.financing_string),
    excluded: bigOf(out.excluded_cents, out.excluded_string),
  };
  return leftOutNames.map(([key, name, countedAs]) =>
    sums[key] === 0n ? null : (
      <tr key={key} className={`relative border-t text-muted ${opensOnPress}`}>
        <th scope="row" className={`${cell} text-left font-normal`}>
          <RowLink
            rows={rowsOfLine({ breakdown, account, countedAs })}
            title={`Transactions that don’t count: ${name}`}
          >
            Not counted: {name}
          </RowLink>
        </th>
        <td className={wider} />
        <td className={figure}>
          <Money cents={`${sums[key]}`} currency={currency} />
        </td>
        <td colSpan={4} />
      </tr>
    ),
  );
}

/** Sorts by the size of the change, or by the amount again. */
export function BiggestChange({ sort, onSort }: Pick<SpendingTableProps, 'sort' | 'onSort'>): React.JSX.Element {
  const isOn = sort.by === 'change' && sort.direction === 'desc';
  return (
    <Button
      size="small"
      aria-pressed={isOn}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      onClick={() => onSort({ by: isOn ? 'amount' : 'change', direction: 'desc' })}
    >
      Biggest change
    </Button>
  );
}
