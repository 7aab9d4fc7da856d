import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DescriptionList } from '../../components/description-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { ExactAmount } from '../../components/money.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { Loaded } from '../../components/states.tsx';
import { Day } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { amountIn, type Cents } from '../../lib/exact-cents.ts';
import { formatMonth } from '../../lib/format-time.ts';
import { plural, someOf } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { transferTreatment } from '../data-quality/data-quality.view.ts';
import { monthsText } from './burn.view.ts';
import { TransactionsLink } from './figure-link.tsx';
import { useCash, useOverviewQueries, useSeriesName } from './overview-queries.ts';
import { basisText, cashOutDay, doubtsOf, type RunwayLine, runwayText } from './runway.view.ts';

interface RunwayDrawerProps {
  companyId: string;
  runway: Outputs['financials']['runway'];
  open: boolean;
  onClose: () => void;
}

export function RunwayDrawer({ companyId, runway, open, onClose }: RunwayDrawerProps): React.JSX.Element {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="How runway is calculated"
      description="The formula and its inputs."
      variant="side"
    >
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
        {sectionsOf(runway).map(({ title, line, isTotal }) => (
          <section key={title} aria-label={`Runway in ${title}`} className="flex flex-col gap-4">
            <h3 className="border-b pb-1 font-semibold">{title}</h3>
            <Quotient companyId={companyId} line={line} />
            <Months companyId={companyId} line={line} isTotal={isTotal} />
            <Inputs companyId={companyId} line={line} />
          </section>
        ))}
        <Exclusions companyId={companyId} />
      </div>
    </Dialog>
  );
}

/** The total of several currencies, and the line of each. */
function sectionsOf({ total, lines }: Outputs['financials']['runway']) {
  const sections = lines.map((line) => ({ title: line.currency, line, isTotal: false }));
  if (total === null || lines.length < 2) return sections;
  return [{ title: `${total.currency}, all currencies`, line: total, isTotal: true }, ...sections];
}

interface LineProps {
  companyId: string;
  line: RunwayLine;
}

function Quotient({ companyId, line }: LineProps): React.JSX.Element {
  const excluded = useCash(companyId).data?.excluded ?? [];
  if (line.runway_months === null || line.status === 'out_of_cash')
    return <p className="text-lg font-semibold">{runwayText(line, excluded)}</p>;
  const out = cashOutDay(line);
  return (
    <p className="text-lg font-semibold wrap-anywhere">
      <ExactAmount {...amountIn(line, 'cash')} currency={line.currency} />
      {' ÷ '}
      <ExactAmount {...amountIn(line, 'net_burn')} currency={line.currency} />
      {' per month = '}
      <span className="whitespace-nowrap">{line.runway_months.toFixed(1)} months</span>
      {line.capped && ', shown as 10+ years'}
      {out !== null && (
        <span className="block text-sm font-normal text-muted">
          Cash runs out on <Day day={out} />
        </span>
      )}
    </p>
  );
}

type Flow = Partial<Outputs['financials']['monthly']['months'][number]['flows'][number]> & typeof none;

const none: Record<'money_in_cents' | 'money_out_cents' | 'net_cents', Cents> = {
  money_in_cents: 0,
  money_out_cents: 0,
  net_cents: 0,
};

function Months({ companyId, line, isTotal }: LineProps & { isTotal: boolean }): React.JSX.Element {
  const monthly = useQuery(useOverviewQueries(companyId).monthly);
  const { currency, window } = line;
  if (window.length === 0) return <p className="text-sm text-muted">No full month of transactions yet.</p>;
  const amount = (id: 'money_in' | 'money_out' | 'net', title: string) => ({
    title,
    align: 'end' as const,
    cell: ({ flow }: { flow: Flow }) => (
      <ExactAmount {...amountIn(flow, id)} currency={currency} coloured={id === 'net'} />
    ),
  });
  return (
    <div>
      <Loaded query={monthly} label="Loading the months">
        {({ months }) => (
          <SimpleTable
            label={`Averaged months in ${currency}`}
            rows={months
              .filter(({ month }) => window.includes(month))
              .map(({ month, flows, total }) => {
                const flow = isTotal ? total : flows.find((one) => one.currency === currency);
                return { month, flow: flow ?? none };
              })}
            keyOf={({ month }) => month}
            empty={null}
            columns={[
              {
                title: 'Month',
                cell: ({ month }) => (
                  <TransactionsLink
                    rows={{ months: [month], currency: isTotal ? undefined : currency }}
                    title={`Transactions of ${monthsText([month])}`}
                  >
                    {formatMonth(month)}
                  </TransactionsLink>
                ),
              },
              amount('money_in', 'In'),
              amount('money_out', 'Out'),
              amount('net', 'Net'),
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}

function Inputs({ companyId, line }: LineProps): React.JSX.Element {
  const nameOf = useSeriesName(companyId);
  const doubts = doubtsOf(line);
  return (
    <DescriptionList
      entries={[
        ['Cash on hand', <ExactAmount key="cash" {...amountIn(line, 'cash')} currency={line.currency} />],
        ['Average net burn', <ExactAmount key="burn" {...amountIn(line, 'net_burn')} currency={line.currency} />],
        ['Based on', basisText(line, nameOf)],
        ['Notes', doubts.length === 0 ? null : doubts.join(' ')],
      ]}
    />
  );
}

function Exclusions({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  const nameOf = useSeriesName(companyId);
  return (
    <section aria-label="Exclusions" className="flex flex-col gap-3">
      <h3 className="border-b pb-1 font-semibold">Exclusions</h3>
      <Loaded query={settings} label="Loading exclusions" lines={2}>
        {(excluded) => (
          <DescriptionList
            entries={[
              ['Categories (money in and out)', someOf(excluded.excluded_categories).replaceAll('_', ' ')],
              ['Categories (money in)', someOf(excluded.excluded_inflow_categories).replaceAll('_', ' ')],
              ['Accounts', someOf(excluded.excluded_connections.map((id) => nameOf(id === 'none' ? null : id)))],
              ['Replaced accounts', <Replaced key="replaced" companyId={companyId} />],
              [
                'Suspected transfers',
                <span key="transfers">
                  {transferTreatment(excluded)} See{' '}
                  <Link to="/data-quality" search={{ tab: 'transfers' }} className="text-accent underline">
                    Data quality
                  </Link>
                </span>,
              ],
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

function Replaced({ companyId }: { companyId: string }): React.JSX.Element {
  const names = useConnectionNames(companyId);
  const burn = useQuery(useOverviewQueries(companyId).burn);
  if (!burn.data) return <>{burn.error == null ? 'Loading…' : 'Unavailable'}</>;
  if (burn.data.replaced.length === 0) return <>None</>;
  return (
    <ul>
      {burn.data.replaced.map(({ connection_id, replaced_by, from, transactions }) => (
        <li key={connection_id}>
          <ConnectionName id={connection_id} names={names} />: {plural(transactions, 'transaction')} since{' '}
          <Day day={from} />, replaced by <ConnectionName id={replaced_by} names={names} />
        </li>
      ))}
    </ul>
  );
}
