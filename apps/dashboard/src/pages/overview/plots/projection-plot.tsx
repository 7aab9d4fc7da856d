import { useQuery } from '@tanstack/react-query';
import { Area, ComposedChart, Line, ReferenceLine, XAxis } from 'recharts';
import { formatDay, formatMonth } from '../../../lib/format-time.ts';
import { dayAfter } from '../../../lib/zoned-time.ts';
import { useOverviewQueries } from '../overview-queries.ts';
import { cashOutDay, type RunwayLine } from '../runway-tile.view.ts';
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
import { monthTicks, projectionRows } from './projection-plot.view.ts';

const DAY_MS = 86_400_000;
const LINE = 'var(--color-series-1)';

export function ProjectionPlot({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const { runway, burn } = useOverviewQueries(companyId);
  const stddev = useQuery(burn).data?.lines.find((line) => line.currency === currency)?.net_burn_stddev_cents ?? null;
  return (
    <PlotPanel title="Runway projection" query={useQuery(runway)}>
      {({ lines, as_of }) => (
        <Projection
          line={lines.find((line) => line.currency === currency)}
          stddev={stddev}
          today={as_of}
          currency={currency}
        />
      )}
    </PlotPanel>
  );
}

interface ProjectionProps {
  line: RunwayLine | undefined;
  stddev: number | null;
  today: string;
  currency: string;
}

function Projection({ line, stddev, today, currency }: ProjectionProps): React.JSX.Element {
  const rows = line ? projectionRows(line, line.basis === 'transactions' ? stddev : null, today) : [];
  const last = rows.at(-1);
  if (!line || !last) return <NoPlot>Requires cash in {currency}, and a month of transactions or balances.</NoPlot>;
  const out = cashOutDay(line);
  const outDay = out === null ? undefined : Math.round((Date.parse(out) - Date.parse(today)) / DAY_MS);
  const hasBand = last.band !== undefined;
  const band = <span key="band" aria-hidden className="size-2.5 rounded-sm bg-accent-soft" />;
  return (
    <>
      <Legend entries={[['Cash at average net burn', LINE], ...(hasBand ? [['Likely range', band] as const] : [])]} />
      <ChartFrame
        label={`${currency} cash at average net burn: ${line.text}${out === null ? '' : `, cash out on ${formatDay(out)}`}`}
      >
        <ComposedChart {...chartProps} data={rows}>
          <ValueAxis format={moneyFormat(currency)} />
          <XAxis
            dataKey="day"
            type="number"
            domain={[0, last.day]}
            tickFormatter={(day: number) => formatMonth(dayAfter(today, day).slice(0, 7))}
            ticks={monthTicks(today, last.day)}
            {...axisProps}
          />
          {hasBand && <Area dataKey="band" stroke="none" fill="var(--color-accent-soft)" isAnimationActive={false} />}
          <ReferenceLine
            y={0}
            ifOverflow="extendDomain"
            stroke="var(--color-bad)"
            strokeDasharray="4 3"
            label={{ value: 'Cash out', position: 'insideBottomLeft', fill: 'var(--color-bad)', fontSize: 11 }}
          />
          {outDay !== undefined && outDay <= last.day && (
            <ReferenceLine x={outDay} stroke="var(--color-bad)" strokeDasharray="2 3" />
          )}
          <Line dataKey="mean" type="linear" stroke={LINE} strokeWidth={2} dot={false} isAnimationActive={false} />
        </ComposedChart>
      </ChartFrame>
      <PlotTable label={`Projected ${currency} cash by month`} first="Day" rows={rows} />
    </>
  );
}
