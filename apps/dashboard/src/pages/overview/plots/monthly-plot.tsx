import { currencyExponent } from '@finhook/contracts/currency';
import { useQuery } from '@tanstack/react-query';
import { Bar, CartesianGrid, Cell, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { scaleMoney } from '../../../lib/exact-cents.ts';
import { formatMonth } from '../../../lib/format-time.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { MONTHS_SHOWN } from '../months-shown.ts';
import { AXIS_WIDTH, axisProps, ChartFrame, chartProps, PlotTip, useHatch } from './chart-frame.tsx';
import { monthRows } from './monthly-plot.view.ts';
import { Figures, Legend, NoPlot, PlotPanel, Swatch } from './plot-panel.tsx';

const IN = 'var(--color-series-1)';
const OUT = 'var(--color-series-2)';
const NET = 'var(--color-series-3)';

export function MonthlyPlot({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.financials.monthly.queryOptions({ company_id: companyId, months: MONTHS_SHOWN }));
  return (
    <PlotPanel title="Money in and out by month" query={query}>
      {(monthly) => <Months rows={monthRows(monthly, currency)} currency={currency} />}
    </PlotPanel>
  );
}

function Months({ rows, currency }: { rows: ReturnType<typeof monthRows>; currency: string }): React.JSX.Element {
  const hatchIn = useHatch(IN);
  const hatchOut = useHatch(OUT);
  const last = rows.at(-1);
  if (!last)
    return (
      <NoPlot>
        No {currency} transactions in the last {MONTHS_SHOWN} months.
      </NoPlot>
    );
  const digits = currencyExponent(currency);
  const bars = [
    ['moneyIn', IN, hatchIn.fill],
    ['moneyOut', OUT, hatchOut.fill],
  ] as const;
  return (
    <>
      <Legend
        entries={[
          ['Money in', <Swatch key="in" colour={IN} />],
          ['Money out', <Swatch key="out" colour={OUT} />],
          ['Net', <span key="net" aria-hidden className="h-0.5 w-3 bg-series-3" />],
          [
            'Hatched and hollow: month to date',
            <span key="part" aria-hidden className="size-2.5 rounded-sm border border-dashed border-line-strong" />,
          ],
        ]}
      />
      <ChartFrame
        label={`${currency} in and out over ${rows.length} months; ${last.label}: in ${last.figures[0]}, out ${last.figures[1]}, net ${last.figures[2]}`}
      >
        <ComposedChart {...chartProps} data={rows} barGap={2}>
          <defs>
            {hatchIn.pattern}
            {hatchOut.pattern}
          </defs>
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis dataKey="month" tickFormatter={formatMonth} minTickGap={16} {...axisProps} />
          <YAxis
            width={AXIS_WIDTH}
            tickFormatter={(cents: number) => scaleMoney(cents, currency, digits)}
            {...axisProps}
          />
          <ReferenceLine y={0} ifOverflow="extendDomain" stroke="var(--color-line-strong)" />
          <Tooltip content={PlotTip} isAnimationActive={false} cursor={{ fill: 'var(--color-sunken)' }} />
          {bars.map(([key, colour, hatched]) => (
            <Bar key={key} dataKey={key} fill={colour} maxBarSize={22} isAnimationActive={false}>
              {rows.map(({ month, partial }) => (
                <Cell key={month} fill={partial ? hatched : colour} />
              ))}
            </Bar>
          ))}
          <Line
            dataKey="net"
            type="linear"
            stroke={NET}
            strokeWidth={2}
            dot={{ r: 2.5, fill: NET, strokeWidth: 0 }}
            isAnimationActive={false}
          />
          <Line
            dataKey="netToDate"
            stroke={NET}
            dot={{ r: 3.5, fill: 'var(--color-surface)', strokeWidth: 1.5 }}
            isAnimationActive={false}
          />
        </ComposedChart>
      </ChartFrame>
      <Figures
        label={`${currency} in, out and net by month`}
        rows={rows.toReversed()}
        keyOf={({ month }) => month}
        columns={[
          { id: 'month', title: 'Month', cell: ({ label }) => label },
          { id: 'in', title: 'In', align: 'end', cell: ({ figures }) => figures[0] },
          { id: 'out', title: 'Out', align: 'end', cell: ({ figures }) => figures[1] },
          { id: 'net', title: 'Net', align: 'end', cell: ({ figures }) => figures[2] },
        ]}
      />
    </>
  );
}
