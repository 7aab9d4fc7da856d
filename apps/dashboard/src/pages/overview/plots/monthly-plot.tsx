import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useId } from 'react';
import { SelectField } from '../../../components/field.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { formatMonth } from '../../../lib/format-time.ts';
import { monthAfter } from '../../../lib/periods.ts';
import { monthsText } from '../burn.view.ts';
import { BalancesLink, TransactionsLink } from '../figure-link.tsx';
import { MONTHS_SHOWN, REFETCH_MS, useOverviewQueries } from '../overview-queries.ts';
import { balanceSearch, transactionSearch } from '../rows.view.ts';
import { Chart } from './chart.tsx';
import { Bars, Line } from './marks.tsx';
import {
  closingBalances,
  type MonthlyChoice,
  type MonthRow,
  monthlyChoices,
  monthRows,
  rowsIn,
} from './monthly-plot.view.ts';
import { Legend, moneyFormat, NoPlot, PlotPanel, PlotTable } from './plot.tsx';
import { scaleOf } from './scale.view.ts';

const IN = 'var(--color-series-1)';
const OUT = 'var(--color-series-2)';
const NET = 'var(--color-series-3)';
const CASH = 'var(--color-series-1)';

/** In, out, net and closing cash of twelve months and the current one. */
export function MonthsPanel(): React.JSX.Element {
  const { id, base_currency: base } = useCompany();
  const query = useQuery({ ...useOverviewQueries(id).monthly, refetchInterval: REFETCH_MS });
  const { currency: wanted } = useSearch({ from: '/shell/company/' });
  return (
    <PlotPanel title="Last 12 months" query={query}>
      {(monthly) => {
        const choices = monthlyChoices(monthly, base);
        const choice = choices.find((one) => nameOf(one) === wanted) ?? choices[0];
        if (choice === undefined) return <NoPlot>No transactions in the last {MONTHS_SHOWN} months.</NoPlot>;
        return (
          <>
            {choices.length > 1 && <CurrencyChoice choices={choices} choice={choice} />}
            <Months rows={monthRows(monthly, choice)} choice={choice} />
          </>
        );
      }}
    </PlotPanel>
  );
}

const nameOf = ({ currency, isTotal }: MonthlyChoice): string => (isTotal ? 'all' : currency);

function CurrencyChoice({ choices, choice }: { choices: readonly MonthlyChoice[]; choice: MonthlyChoice }) {
  const navigate = useNavigate();
  return (
    <SelectField
      label="Currency"
      className="mb-3 max-w-60"
      value={nameOf(choice)}
      onChange={({ target }) =>
        void navigate({
          to: '.',
          search: (search) => ({ ...search, currency: target.value }),
          replace: true,
          resetScroll: false,
        })
      }
    >
      {choices.map((one) => (
        <option key={nameOf(one)} value={nameOf(one)}>
          {one.isTotal ? `All, in ${one.currency}` : one.currency}
        </option>
      ))}
    </SelectField>
  );
}

function useHatch(colour: string): { fill: string; pattern: ReactElement } {
  const id = `hatch${useId().replaceAll(/\W/g, '')}`;
  return {
    fill: `url(#${id})`,
    pattern: (
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={6} height={6} fill={colour} fillOpacity={0.2} />
        <rect width={2.5} height={6} fill={colour} />
      </pattern>
    ),
  };
}

interface MonthsProps {
  rows: readonly MonthRow[];
  choice: MonthlyChoice;
}

function Months({ rows, choice }: MonthsProps): React.JSX.Element {
  const { currency } = choice;
  if (rows.length === 0)
    return (
      <NoPlot>
        No {currency} transactions in the last {MONTHS_SHOWN} months.
      </NoPlot>
    );
  return (
    <>
      <Legend
        entries={[
          ['Money in', IN],
          ['Money out', OUT],
          ['Net', <span key="net" aria-hidden className="w-3 border-t-2 border-series-3" />],
          [
            'Month to date (hatched)',
            <span key="part" aria-hidden className="size-3 rounded-sm border border-dashed border-line-strong" />,
          ],
        ]}
      />
      <FlowChart rows={rows} choice={choice} />
      <CashChart rows={rows} choice={choice} />
      <PlotTable
        label={`${currency} money in, out, net and cash by month`}
        first="Month"
        rows={rows.toReversed()}
        link={(row, figure, column) => <MonthFigure row={row} choice={choice} figure={figure} column={column} />}
      />
    </>
  );
}

interface MonthFigureProps {
  row: MonthRow;
  choice: MonthlyChoice;
  figure: string;
  column: number;
}

const CLOSING_COLUMN = 3;

function MonthFigure({ row, choice, figure, column }: MonthFigureProps): React.JSX.Element {
  const { month, partial } = row;
  const currency = rowsIn(choice);
  if (column === CLOSING_COLUMN)
    return (
      <BalancesLink
        {...closingBalances(row, choice)}
        title={partial ? 'Current balances' : `Balances at the end of ${formatMonth(month)}`}
      >
        {figure}
      </BalancesLink>
    );
  // A runway is made of the three months that end with its own.
  const months = column < CLOSING_COLUMN ? [month] : [-2, -1, 0].map((back) => monthAfter(month, back));
  return (
    <TransactionsLink
      rows={{ months, currency, direction: (['in', 'out'] as const)[column] }}
      title={`Transactions of ${monthsText(months)}`}
    >
      {figure}
    </TransactionsLink>
  );
}

/** The cash at the end of each month, below the flows: it is much larger than they are. */
function CashChart({ rows, choice }: MonthsProps): React.JSX.Element | null {
  const navigate = useNavigate();
  const values = rows.map(({ closing }) => closing);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const scale = scaleOf(known);
  return (
    <>
      <h3 className="mt-4 mb-1 text-xs font-medium text-muted">Closing cash</h3>
      <Chart
        height="h-36"
        label={`${choice.currency} cash at the end of each of ${known.length} months.`}
        rows={rows}
        scale={scale}
        format={moneyFormat(choice.currency)}
        onOpen={(row) => void navigate({ to: '/balances', search: balanceSearch(closingBalances(row, choice)) })}
      >
        <Line scale={scale} values={values} colour={CASH} isFilled dots="full" />
      </Chart>
    </>
  );
}

function FlowChart({ rows, choice }: MonthsProps): React.JSX.Element {
  const navigate = useNavigate();
  const hatchIn = useHatch(IN);
  const hatchOut = useHatch(OUT);
  const scale = scaleOf(
    rows.flatMap(({ moneyIn, moneyOut, net, netToDate }) => [moneyIn, moneyOut, net ?? netToDate ?? 0]),
  );
  const open = (month: string | undefined, direction?: 'in' | 'out'): void => {
    if (month === undefined) return;
    void navigate({
      to: '/transactions',
      search: transactionSearch({ months: [month], currency: rowsIn(choice), direction }),
    });
  };
  return (
    <Chart
      label={`${choice.currency} money in and out over ${rows.length} months.`}
      rows={rows}
      scale={scale}
      format={moneyFormat(choice.currency)}
      onOpen={({ month }) => open(month)}
    >
      <defs>
        {hatchIn.pattern}
        {hatchOut.pattern}
      </defs>
      <Bars
        scale={scale}
        side="left"
        values={rows.map(({ moneyIn }) => moneyIn)}
        fillOf={(i) => (rows[i]?.partial === true ? hatchIn.fill : IN)}
        onOpen={(i) => open(rows[i]?.month, 'in')}
      />
      <Bars
        scale={scale}
        side="right"
        values={rows.map(({ moneyOut }) => moneyOut)}
        fillOf={(i) => (rows[i]?.partial === true ? hatchOut.fill : OUT)}
        onOpen={(i) => open(rows[i]?.month, 'out')}
      />
      <Line scale={scale} values={rows.map(({ net }) => net)} colour={NET} dots="full" />
      <Line scale={scale} values={rows.map(({ netToDate }) => netToDate)} colour={NET} dots="ring" />
    </Chart>
  );
}
