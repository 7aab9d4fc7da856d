import { currencyExponent } from '@finhook/contracts/currency';
import { useQuery } from '@tanstack/react-query';
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { scaleMoney } from '../../../lib/exact-cents.ts';
import { formatDay, formatMonth } from '../../../lib/format-time.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { dayAfter } from '../../../lib/zoned-time.ts';
import { cashOutDay, type RunwayLine } from '../runway-tile.view.ts';
import { AXIS_WIDTH, axisProps, ChartFrame, chartProps, PlotTip } from './chart-frame.tsx';
import { Figures, Legend, NoPlot, PlotPanel, Swatch } from './plot-panel.tsx';
import { monthTicks, projectionRows } from './projection-plot.view.ts';

const DAY_MS = 86_400_000;
const LINE = 'var(--color-series-1)';

export function ProjectionPlot({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.financials.runway.queryOptions({ company_id: companyId }));
  const burn = useQuery(trpc.financials.burn.queryOptions({ company_id: companyId }));
  const stddev = burn.data?.lines.find((line) => line.currency === currency)?.net_burn_stddev_cents ?? null;
  return (
    <PlotPanel title="Runway projection" query={query}>
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
  if (!line || !last)
    return <NoPlot>A projection needs cash in {currency}, and a month of transactions or balances.</NoPlot>;
  const digits = currencyExponent(currency);
  const out = cashOutDay(line);
  const outDay = out === null ? undefined : Math.round((Date.parse(out) - Date.parse(today)) / DAY_MS);
  const hasBand = last.band !== undefined;
  return (
    <>
      <Legend
        entries={[
          ['Cash at the average net burn', <Swatch key="mean" colour={LINE} />],
          ...(hasBand
            ? [
                [
                  'Likely range',
                  <span key="band" aria-hidden className="size-2.5 rounded-sm bg-accent-soft" />,
                ] as const,
              ]
            : []),
        ]}
      />
      <ChartFrame
        label={`${currency} cash at the average net burn: ${line.text}${out === null ? '' : `, cash out on ${formatDay(out)}`}`}
      >
        <ComposedChart {...chartProps} data={rows}>
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis
            dataKey="day"
            type="number"
            domain={[0, last.day]}
            tickFormatter={(day: number) => formatMonth(dayAfter(today, day).slice(0, 7))}
            ticks={monthTicks(today, last.day)}
            {...axisProps}
          />
          <YAxis
            width={AXIS_WIDTH}
            tickFormatter={(cents: number) => scaleMoney(cents, currency, digits)}
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
          <Tooltip content={PlotTip} isAnimationActive={false} />
          <Line dataKey="mean" type="linear" stroke={LINE} strokeWidth={2} dot={false} isAnimationActive={false} />
        </ComposedChart>
      </ChartFrame>
      <Figures
        label={`Projected ${currency} cash by month`}
        rows={rows}
        keyOf={({ day }) => `${day}`}
        columns={[
          { id: 'day', title: 'Day', cell: ({ label }) => label },
          { id: 'mean', title: 'Cash', align: 'end', cell: ({ figures }) => figures[0] },
          { id: 'low', title: 'Low', align: 'end', cell: ({ figures }) => figures[1] },
          { id: 'high', title: 'High', align: 'end', cell: ({ figures }) => figures[2] },
        ]}
      />
    </>
  );
}
