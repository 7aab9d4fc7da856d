import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DescriptionList } from '../../components/description-list.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { ExactAmount } from '../../components/money.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Day } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { plural } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { MONTHS_SHOWN } from './months-shown.ts';
import { basisText, cashOutDay, confidenceText, flagsOf, type RunwayLine } from './runway-tile.view.ts';
import { useRunwayText } from './use-runway-text.ts';
import { useStreamName } from './use-stream-name.ts';

type Runway = Outputs['financials']['runway'];

export function RunwayReasons({ companyId, runway }: { companyId: string; runway: Runway }): React.JSX.Element {
  const nameOf = useStreamName(companyId);
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-2 text-sm">
        <p className="rounded-md bg-sunken px-3 py-2 font-medium">
          Runway = cash on hand ÷ average net burn of the last full months
        </p>
        <p className="text-muted">
          Net burn is money out − money in. Months are rounded down to one decimal; the cash-out date uses 30.436875
          days per month. As of <Day day={runway.as_of} />.
        </p>
      </div>
      {runway.lines.map((line) => (
        <section key={line.currency} aria-label={`Runway in ${line.currency}`} className="flex flex-col gap-4">
          <h3 className="border-b pb-1 font-semibold">{line.currency}</h3>
          <Quotient companyId={companyId} line={line} />
          <Months companyId={companyId} line={line} />
          <DescriptionList
            entries={[
              [
                'Cash on hand',
                <ExactAmount key="v" cents={line.cash_cents} digits={line.cash_string} currency={line.currency} />,
              ],
              [
                'Average net burn',
                <ExactAmount
                  key="v"
                  cents={line.net_burn_cents}
                  digits={line.net_burn_string}
                  currency={line.currency}
                />,
              ],
              [
                'Average gross burn',
                <ExactAmount
                  key="v"
                  cents={line.gross_burn_cents}
                  digits={line.gross_burn_string}
                  currency={line.currency}
                />,
              ],
              [
                'Runway without income',
                line.runway_gross_months === null ? null : `${line.runway_gross_months.toFixed(1)} months`,
              ],
              ['Basis', basisText(line, nameOf)],
              ['Confidence', confidenceText(line)],
              ['Flags', flagsOf(line).join(', ') || 'None'],
            ]}
          />
        </section>
      ))}
      <LeftOut companyId={companyId} />
    </div>
  );
}

function Quotient({ companyId, line }: { companyId: string; line: RunwayLine }): React.JSX.Element {
  const formText = useRunwayText(companyId);
  if (line.runway_months === null || line.status === 'out_of_cash')
    return <p className="text-lg font-semibold">{formText(line)}</p>;
  const out = cashOutDay(line);
  return (
    <p className="text-lg font-semibold wrap-anywhere">
      <ExactAmount cents={line.cash_cents} digits={line.cash_string} currency={line.currency} />
      {' ÷ '}
      <ExactAmount cents={line.net_burn_cents} digits={line.net_burn_string} currency={line.currency} />
      {' a month = '}
      <span className="whitespace-nowrap">{line.runway_months.toFixed(1)} months</span>
      {line.capped && ', shown as 10+ years'}
      {out !== null && (
        <span className="block text-sm font-normal text-muted">
          Cash out on <Day day={out} />
        </span>
      )}
    </p>
  );
}

function Months({ companyId, line }: { companyId: string; line: RunwayLine }): React.JSX.Element {
  const trpc = useTRPC();
  const monthly = useQuery(trpc.financials.monthly.queryOptions({ company_id: companyId, months: MONTHS_SHOWN }));
  if (line.window.length === 0) return <p className="text-sm text-muted">No full month of transactions yet.</p>;
  if (!monthly.data) {
    return monthly.error == null ? (
      <Loading label="Loading the months" />
    ) : (
      <ErrorState error={monthly.error} onRetry={() => void monthly.refetch()} />
    );
  }
  const { currency } = line;
  const rows = monthly.data.months
    .filter(({ month }) => line.window.includes(month))
    .map(({ month, flows }) => ({ month, flow: flows.find((flow) => flow.currency === currency) }));
  return (
    <SimpleTable
      label={`Averaged months in ${currency}`}
      rows={rows}
      keyOf={({ month }) => month}
      empty={null}
      columns={[
        { id: 'month', title: 'Month', cell: ({ month }) => formatMonth(month) },
        {
          id: 'in',
          title: 'In',
          align: 'end',
          cell: ({ flow }) => (
            <ExactAmount cents={flow ? flow.money_in_cents : 0} digits={flow?.money_in_string} currency={currency} />
          ),
        },
        {
          id: 'out',
          title: 'Out',
          align: 'end',
          cell: ({ flow }) => (
            <ExactAmount cents={flow ? flow.money_out_cents : 0} digits={flow?.money_out_string} currency={currency} />
          ),
        },
        {
          id: 'net',
          title: 'Net',
          align: 'end',
          cell: ({ flow }) => (
            <ExactAmount cents={flow ? flow.net_cents : 0} digits={flow?.net_string} currency={currency} coloured />
          ),
        },
      ]}
    />
  );
}

function LeftOut({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  const list = (names: readonly string[]): string =>
    names.map((name) => name.replaceAll('_', ' ')).join(', ') || 'Nothing';
  return (
    <section aria-label="Left out" className="flex flex-col gap-3">
      <h3 className="border-b pb-1 font-semibold">Left out</h3>
      {settings.data ? (
        <DescriptionList
          entries={[
            ['Categories, money in and out', list(settings.data.excluded_categories)],
            ['Categories, money in only', list(settings.data.excluded_inflow_categories)],
            ['Connections', settings.data.excluded_connections.join(', ') || 'None'],
            ['Replaced connections', <Replaced key="replaced" companyId={companyId} />],
            [
              'Suspected transfers',
              settings.data.exclude_suspected_transfers ? (
                'Left out'
              ) : (
                <span key="transfers">
                  Counted, and listed under{' '}
                  <Link to="/data-quality" search={{ tab: 'transfers' }} className="text-accent underline">
                    Data quality
                  </Link>
                </span>
              ),
            ],
          ]}
        />
      ) : settings.error == null ? (
        <Loading label="Loading what is left out" lines={2} />
      ) : (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      )}
    </section>
  );
}

function Replaced({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const names = useConnectionNames(companyId);
  const burn = useQuery(trpc.financials.burn.queryOptions({ company_id: companyId }));
  if (!burn.data) return <>{burn.error == null ? 'Loading' : 'Unavailable'}</>;
  if (burn.data.replaced.length === 0) return <>None</>;
  return (
    <ul>
      {burn.data.replaced.map(({ connection_id, replaced_by, from, transactions }) => (
        <li key={connection_id}>
          <ConnectionName id={connection_id} names={names} />, {plural(transactions, 'transaction')} from{' '}
          <Day day={from} /> on: <ConnectionName id={replaced_by} names={names} /> replaces them
        </li>
      ))}
    </ul>
  );
}
