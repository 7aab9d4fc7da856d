import { currencyExponent } from '@finhook/contracts/currency';
import { useQuery } from '@tanstack/react-query';
import { Area, AreaChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { scaleMoney } from '../../../lib/exact-cents.ts';
import { formatDay } from '../../../lib/format-time.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { useStreamName } from '../use-stream-name.ts';
import { balancesOf } from './balance-plot.view.ts';
import { AXIS_WIDTH, axisProps, ChartFrame, chartProps, PlotTip } from './chart-frame.tsx';
import { Figures, Legend, NoPlot, PlotPanel, Swatch } from './plot-panel.tsx';
import { seriesColours } from './plot-row.ts';

const DAYS = 90;

export function BalancePlot({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const trpc = useTRPC();
  const nameOf = useStreamName(companyId);
  const query = useQuery(trpc.cash.history.queryOptions({ company_id: companyId, days: DAYS }));
  return (
    <PlotPanel title="Balance by connection" query={query}>
      {(history) => <Stack {...balancesOf(history, currency, nameOf)} currency={currency} />}
    </PlotPanel>
  );
}

function Stack({ series, rows, currency }: ReturnType<typeof balancesOf> & { currency: string }): React.JSX.Element {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last)
    return (
      <NoPlot>
        No {currency} balance in the last {DAYS} days.
      </NoPlot>
    );
  const digits = currencyExponent(currency);
  return (
    <>
      <Legend entries={series.map((name, i) => [name, <Swatch key={name} colour={seriesColours[i] ?? ''} />])} />
      <ChartFrame
        label={`${currency} balances by connection: ${first.figures.at(-1)} on ${first.label}, ${last.figures.at(-1)} on ${last.label}`}
      >
        <AreaChart {...chartProps} data={rows} stackOffset="sign">
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis dataKey="date" tickFormatter={formatDay} minTickGap={48} {...axisProps} />
          <YAxis
            width={AXIS_WIDTH}
            tickFormatter={(cents: number) => scaleMoney(cents, currency, digits)}
            {...axisProps}
          />
          <ReferenceLine y={0} ifOverflow="extendDomain" stroke="var(--color-line-strong)" />
          <Tooltip content={PlotTip} isAnimationActive={false} />
          {series.map((name, i) => (
            <Area
              key={name}
              name={name}
              dataKey={(row: (typeof rows)[number]) => row.values[i]}
              stackId="balance"
              type="stepAfter"
              stroke={seriesColours[i] ?? ''}
              fill={seriesColours[i] ?? ''}
              fillOpacity={0.35}
              isAnimationActive={false}
            />
          ))}
        </AreaChart>
      </ChartFrame>
      <Figures
        label={`${currency} balances by connection and day`}
        rows={rows.toReversed()}
        keyOf={({ date }) => date}
        columns={[
          { id: 'day', title: 'Day', cell: ({ label }) => label },
          ...[...series, 'All'].map((name, i) => ({
            id: `${i}`,
            title: name,
            align: 'end' as const,
            cell: ({ figures }: (typeof rows)[number]) => figures[i],
          })),
        ]}
      />
    </>
  );
}
