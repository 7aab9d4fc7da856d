import { ExactAmount } from '../../../components/money.tsx';
import { type Breakdown, rowsOfLine } from '../../spending/breakdown.view.ts';
import { monthsText } from '../burn.view.ts';
import { TransactionsLink } from '../figure-link.tsx';
import { spendLines } from './spend.view.ts';

interface SpendListProps {
  title: string;
  breakdown: Breakdown;
  /** The rest is one line. */
  most: number;
}

/** The largest lines of a breakdown, with the change against the months before. Each opens its transactions, except the sum of the rest. */
export function SpendList({ title, breakdown, most }: SpendListProps): React.JSX.Element {
  const lines = spendLines(breakdown, most);
  const period = monthsText(breakdown.months.map(({ month }) => month));
  if (lines.length === 0) return <p className="text-sm text-muted">No money out in {period}.</p>;
  return (
    <>
      <p className="text-xs text-muted">
        Money out in {breakdown.currency}, {period}
        {breakdown.compared_from !== null && breakdown.compared_to !== null && (
          <>, compared with {monthsText([breakdown.compared_from, breakdown.compared_to])}</>
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
          {lines.map(({ key, label, total, share, change }) => (
            <tr key={`${key}`}>
              <th scope="row" className="w-1/2 py-2 pr-3 text-left font-normal wrap-anywhere">
                {label}
                <span aria-hidden className="mt-1 block h-2 overflow-hidden rounded-full bg-sunken">
                  <span className="block h-full rounded-full bg-series-2" style={{ width: `${share}%` }} />
                </span>
              </th>
              <td className="py-2 text-right align-top font-medium">
                {key === undefined ? (
                  <ExactAmount {...total} currency={breakdown.currency} />
                ) : (
                  <TransactionsLink rows={rowsOfLine({ breakdown, key })} title={`${label}, ${period}`}>
                    <ExactAmount {...total} currency={breakdown.currency} />
                  </TransactionsLink>
                )}
              </td>
              <td className="w-16 py-2 pl-3 text-right align-top whitespace-nowrap text-muted tabular-nums">
                {change}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
