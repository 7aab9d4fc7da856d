import { useQuery } from '@tanstack/react-query';
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { useZone } from '../../../components/shell/company-context.ts';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { AXIS_WIDTH, axisProps, ChartFrame, chartProps, PlotTip } from './chart-frame.tsx';
import { formatHour, formatMilliseconds, latencyRows } from './latency-plot.view.ts';
import { Figures, Legend, NoPlot, PlotPanel, Swatch } from './plot-panel.tsx';

const HALF = 'var(--color-series-1)';
const MOST = 'var(--color-series-2)';
const DAY_MS = 86_400_000;
const READ_MS = 15_000;

export function LatencyPlot(): React.JSX.Element {
  const trpc = useTRPC();
  const zone = useZone();
  const query = useQuery(trpc.webhookEndpoints.health.queryOptions({}, { refetchInterval: READ_MS }));
  return (
    <PlotPanel title="Delivery latency" query={query}>
      {(health) => <Latency health={health} rows={latencyRows(health.hours, zone)} zone={zone} />}
    </PlotPanel>
  );
}

interface LatencyProps {
  health: Outputs['webhookEndpoints']['health'];
  rows: ReturnType<typeof latencyRows>;
  zone: string;
}

function Latency({ health, rows, zone }: LatencyProps): React.JSX.Element {
  const last = rows.at(-1);
  const until = Date.parse(health.as_of);
  if (!last) {
    return (
      <NoPlot>
        {health.counted_from === null
          ? 'No deliveries in the last 24 hours.'
          : 'None of the newest deliveries is yours.'}
      </NoPlot>
    );
  }
  return (
    <>
      <p className="mb-1 text-xs text-muted">Hours in {zone}</p>
      <Legend
        entries={[
          ['Median (p50)', <Swatch key="p50" colour={HALF} />],
          ['95th percentile (p95)', <Swatch key="p95" colour={MOST} />],
        ]}
      />
      <ChartFrame
        label={`Delivery latency by hour over 24 hours; in the last hour with deliveries p50 ${last.figures[0]}, p95 ${last.figures[1]}`}
      >
        <LineChart {...chartProps} data={rows}>
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={[until - DAY_MS, until]}
            tickFormatter={(at: number) => formatHour(at, zone)}
            minTickGap={40}
            {...axisProps}
          />
          <YAxis width={AXIS_WIDTH} tickFormatter={formatMilliseconds} {...axisProps} />
          <Tooltip content={PlotTip} isAnimationActive={false} />
          <Line dataKey="p50" stroke={HALF} strokeWidth={2} dot={{ r: 3, fill: HALF }} isAnimationActive={false} />
          <Line dataKey="p95" stroke={MOST} strokeWidth={2} dot={{ r: 3, fill: MOST }} isAnimationActive={false} />
        </LineChart>
      </ChartFrame>
      <Figures
        label="Delivery latency by hour"
        rows={rows.toReversed()}
        keyOf={({ at }) => `${at}`}
        columns={[
          { id: 'hour', title: 'Hour', cell: ({ label }) => label },
          { id: 'p50', title: 'p50', align: 'end', cell: ({ figures }) => figures[0] },
          { id: 'p95', title: 'p95', align: 'end', cell: ({ figures }) => figures[1] },
          { id: 'count', title: 'Delivered', align: 'end', cell: ({ arrived }) => arrived.toLocaleString('en') },
        ]}
      />
    </>
  );
}
