import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useId } from 'react';
import { Bar, Cell, ComposedChart, Line, ReferenceLine, XAxis } from 'recharts';
import { formatMonth } from '../../../lib/format-time.ts';
import { MONTHS_SHOWN, useOverviewQueries } from '../overview-queries.ts';
import { monthRows } from './monthly-plot.view.ts';
import {
  axisProps,
  ChartFrame,
  chartProps,
  Legend,
  moneyFormat,
  NoPlot,
  PlotPanel,
  PlotTable,
  spokenRow,
  ValueAxis,
} from './plot.tsx';

const IN = 'var(--color-series-1)';
const OUT = 'var(--color-series-2)';
const NET = 'var(--color-series-3)';

export function MonthlyPlot({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  return (
    <PlotPanel title="Money in and out by month" query={useQuery(useOverviewQueries(companyId).monthly)}>
      {(monthly) => <Months rows={monthRows(monthly, currency)} currency={currency} />}
    </PlotPanel>
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
  const bars = [
    ['moneyIn', IN, hatchIn.fill],
    ['moneyOut', OUT, hatchOut.fill],
  ] as const;
  return (
    <>
      <Legend
        entries={[
          ['Money in', IN],
          ['Money out', OUT],
          ['Net', <span key="net" aria-hidden className="h-0.5 w-3 bg-series-3" />],
          [
            'Month to date (hatched)',
            <span key="part" aria-hidden className="size-2.5 rounded-sm border border-dashed border-line-strong" />,
          ],
        ]}
      />
      <ChartFrame label={`${currency} money in and out over ${rows.length} months. ${spokenRow(last)}`}>
        <ComposedChart {...chartProps} data={rows} barGap={2}>
          <defs>
            {hatchIn.pattern}
            {hatchOut.pattern}
          </defs>
          <ValueAxis format={moneyFormat(currency)} />
          <XAxis dataKey="month" tickFormatter={formatMonth} minTickGap={16} {...axisProps} />
          <ReferenceLine y={0} ifOverflow="extendDomain" stroke="var(--color-line-strong)" />
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
      <PlotTable label={`${currency} money in, out and net by month`} first="Month" rows={rows.toReversed()} />
    </>
  );
}
