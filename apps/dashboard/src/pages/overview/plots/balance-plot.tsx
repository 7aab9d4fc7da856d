import { useQuery } from '@tanstack/react-query';
import { Area, AreaChart, ReferenceLine, XAxis } from 'recharts';
import { formatDay } from '../../../lib/format-time.ts';
import { DAYS_SHOWN, useOverviewQueries, useSeriesName } from '../overview-queries.ts';
import { balancesOf } from './balance-plot.view.ts';
import {
  axisProps,
  ChartFrame,
  chartProps,
  Legend,
  moneyFormat,
  NoPlot,
  PlotPanel,
  PlotTable,
  ValueAxis,
} from './plot.tsx';

const colours = [1, 2, 3, 4, 5, 6].map((n) => `var(--color-series-${n})`);

export function BalancePlot({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const nameOf = useSeriesName(companyId);
  return (
    <PlotPanel title="Balance by connection" query={useQuery(useOverviewQueries(companyId).history)}>
      {(history) => <Stack {...balancesOf(history, currency, nameOf)} currency={currency} />}
    </PlotPanel>
  );
}

function Stack({ names, rows, currency }: ReturnType<typeof balancesOf> & { currency: string }): React.JSX.Element {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last)
    return (
      <NoPlot>
        No {currency} balances in the last {DAYS_SHOWN} days.
      </NoPlot>
    );
  const totalOf = ({ tip, label }: typeof first): string => `${tip.at(-1)?.[1]} on ${label}`;
  return (
    <>
      <Legend entries={names.map((name, i) => [name, colours[i] ?? ''])} />
      <ChartFrame label={`${currency} balances by connection: ${totalOf(first)}, ${totalOf(last)}`}>
        <AreaChart {...chartProps} data={rows} stackOffset="sign">
          <ValueAxis format={moneyFormat(currency)} />
          <XAxis dataKey="date" tickFormatter={formatDay} minTickGap={48} {...axisProps} />
          <ReferenceLine y={0} ifOverflow="extendDomain" stroke="var(--color-line-strong)" />
          {names.map((name, i) => (
            <Area
              key={name}
              name={name}
              dataKey={(row: (typeof rows)[number]) => row.values[i]}
              stackId="balance"
              type="stepAfter"
              stroke={colours[i] ?? ''}
              fill={colours[i] ?? ''}
              fillOpacity={0.35}
              isAnimationActive={false}
            />
          ))}
        </AreaChart>
      </ChartFrame>
      <PlotTable label={`${currency} balances by connection and day`} first="Day" rows={rows.toReversed()} />
    </>
  );
}
