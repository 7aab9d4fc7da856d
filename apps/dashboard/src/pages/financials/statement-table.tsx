import { Badge } from '../../components/badge.tsx';
import { formatDay } from '../../lib/format-time.ts';
import { plural } from '../../lib/text.ts';
import {
  type Sheet,
  type Snapshot,
  type StatementRow,
  splitSheet,
  statementAmount,
  statementRows,
  statementTypes,
  totalsBeside,
} from './statement.view.ts';

export function periodText({
  statement_type,
  period_start,
  period_end,
}: Pick<Snapshot, 'statement_type' | 'period_start' | 'period_end'>): string {
  return statement_type === 'balance'
    ? `As of ${formatDay(period_end)}`
    : `${formatDay(period_start)} – ${formatDay(period_end)}`;
}

export function Statement({
  snapshot,
  equation,
}: {
  snapshot: Snapshot;
  equation: React.ReactNode;
}): React.JSX.Element {
  const rows = statementRows(snapshot);
  const sheet = snapshot.statement_type === 'balance' ? splitSheet(rows) : undefined;
  const title = `${statementTypes[snapshot.statement_type]}, ${periodText(snapshot)}`;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-xs text-muted">
        Amounts in {snapshot.currency}
        {!snapshot.period_complete && (
          <>
            {' · '}
            <Badge tone="info">Period in progress</Badge>
          </>
        )}
      </p>
      {equation}
      {rows.length === 0 && <p className="text-sm text-muted">This statement has no lines.</p>}
      {sheet ? (
        <SheetColumns sheet={sheet} currency={snapshot.currency} title={title} />
      ) : (
        rows.length > 0 && <StatementTable rows={rows} currency={snapshot.currency} caption={title} />
      )}
      <TotalsBeside snapshot={snapshot} />
    </div>
  );
}

function SheetColumns({
  sheet,
  currency,
  title,
}: {
  sheet: Sheet;
  currency: string;
  title: string;
}): React.JSX.Element {
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
      <div>
        <h3 className="mb-1 text-sm font-semibold">Assets</h3>
        <StatementTable rows={sheet.assets} currency={currency} caption={`${title}: assets`} />
      </div>
      <div>
        <h3 className="mb-1 text-sm font-semibold">Liabilities and equity</h3>
        <StatementTable rows={sheet.claims} currency={currency} caption={`${title}: liabilities and equity`} />
      </div>
    </div>
  );
}

const INDENT_REM = 1.25;

function StatementTable({
  rows,
  currency,
  caption,
}: {
  rows: readonly StatementRow[];
  currency: string;
  caption: string;
}) {
  const last = rows.findLastIndex(({ isTotal, indent }) => isTotal && indent === 0);
  return (
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Amount in {currency}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, amount, isTotal, indent }, index) => (
          // Keys of lines may repeat, and a statement always renders as a whole.
          <tr key={`${index} ${key}`} className={isTotal ? 'font-semibold' : ''}>
            <th
              scope="row"
              style={{ paddingInlineStart: `${indent * INDENT_REM}rem` }}
              className={`py-1 pr-4 text-left wrap-anywhere ${isTotal ? 'font-semibold' : 'font-normal'}`}
            >
              {label}
            </th>
            <td
              className={`py-1 text-right whitespace-nowrap tabular-nums ${isTotal ? 'border-t border-line-strong' : ''} ${index === last ? 'border-b-4 border-double' : ''}`}
            >
              {statementAmount(amount, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TotalsBeside({ snapshot }: { snapshot: Snapshot }): React.JSX.Element | null {
  const totals = totalsBeside(snapshot);
  if (totals.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-accent">{plural(totals.length, 'total')} not shown above</summary>
      <dl className="mt-2 grid grid-cols-[1fr_max-content] gap-x-6 gap-y-1">
        {totals.map(([key, amount]) => (
          <div key={key} className="contents">
            <dt className="wrap-anywhere">{key}</dt>
            <dd className="text-right tabular-nums">{statementAmount(amount, snapshot.currency)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
