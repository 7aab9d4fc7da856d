import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SideScroll } from '../../components/side-scroll.tsx';
import { Loaded } from '../../components/states.tsx';
import { formatMonth } from '../../lib/format-time.ts';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { StatementLink } from './figure-link.tsx';
import { useOverviewQueries } from './overview-queries.ts';
import { columnClass, percentText, type StatementLine, statementLines, wholeUnits } from './statements.view.ts';

type Statements = Outputs['financials']['statements'];

/** The income statements, with months as columns. */
export function StatementsPanel(): React.JSX.Element {
  const { id } = useCompany();
  return (
    <Panel
      title="Income statements"
      flush
      actions={
        <Link to="/financials" search={{ type: 'income' }} className="text-sm text-accent underline">
          All statements
        </Link>
      }
    >
      <Loaded query={useQuery(useOverviewQueries(id).statements)} label="Loading statements" lines={6} flush>
        {(statements) =>
          statements.currency === null ? (
            <p className="px-5 pb-4 text-sm text-muted">No income statement of a month yet.</p>
          ) : (
            <Table statements={statements} currency={statements.currency} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const cell = 'py-2 pl-4 text-right whitespace-nowrap tabular-nums';
const yearClass = 'hidden sm:table-cell';
const rowHead = 'min-w-28 py-2 text-left wrap-break-word';

function Table({ statements, currency }: { statements: Statements; currency: string }): React.JSX.Element {
  const { months, year_to_date: year } = statements;
  const { lines, hidden } = statementLines(statements);
  const missing = year?.missing ?? [];
  const notes = [
    `Amounts in whole ${currency}.`,
    missing.length > 0 && `No year to date: ${missing.map(formatMonth).join(', ')} is missing.`,
    hidden > 0 && `The statements have ${plural(hidden, 'more line')}.`,
    statements.skipped.length > 0 && `${plural(statements.skipped.length, 'statement')} for other periods left out.`,
  ];
  return (
    <>
      <SideScroll label="Income statements by month" className="px-5">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Income statements by month, in {currency}</caption>
          <thead>
            <tr className="border-b text-muted">
              <th scope="col" className="py-2 text-left font-medium">
                <span className="sr-only">Row</span>
              </th>
              {months.map(({ month, snapshot_id }, i) => (
                <th key={month} scope="col" className={`${cell} font-medium ${columnClass(months.length - 1 - i)}`}>
                  {snapshot_id === null ? (
                    formatMonth(month)
                  ) : (
                    <StatementLink id={snapshot_id} title={`Income statement of ${formatMonth(month)}`}>
                      {formatMonth(month)}
                    </StatementLink>
                  )}
                </th>
              ))}
              <th scope="col" className={`${cell} font-medium ${yearClass}`}>
                Year to date
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Row key={line.key} line={line} months={months} currency={currency} />
            ))}
            <Margins months={months} />
          </tbody>
        </table>
      </SideScroll>
      <p className="px-5 pt-2 pb-4 text-xs text-muted">{notes.filter((note) => note !== false).join(' ')}</p>
    </>
  );
}

type Months = Statements['months'];

function Row({ line, months, currency }: { line: StatementLine; months: Months; currency: string }) {
  return (
    <tr className={line.isTotal ? 'border-t font-semibold' : ''}>
      <th scope="row" className={`${rowHead} ${line.isTotal ? '' : 'font-normal'}`}>
        {line.label}
      </th>
      {line.amounts.map((amount, i) => {
        const text = wholeUnits(amount, currency);
        const id = months[i]?.snapshot_id;
        return (
          <td key={months[i]?.month} className={`${cell} ${columnClass(months.length - 1 - i)}`}>
            {id == null || amount === null ? (
              text
            ) : (
              <StatementLink id={id} title={line.label}>
                {text}
              </StatementLink>
            )}
          </td>
        );
      })}
      <td className={`${cell} ${yearClass}`}>{wholeUnits(line.yearToDate, currency)}</td>
    </tr>
  );
}

function Margins({ months }: { months: Months }): React.JSX.Element | null {
  if (months.every(({ derived }) => derived?.gross_margin_percent == null)) return null;
  return (
    <tr className="border-t text-muted">
      <th scope="row" className={`${rowHead} font-normal`}>
        Gross margin
      </th>
      {months.map(({ month, derived }, i) => (
        <td key={month} className={`${cell} ${columnClass(months.length - 1 - i)}`}>
          {percentText(derived?.gross_margin_percent)}
        </td>
      ))}
      <td className={yearClass} />
    </tr>
  );
}
