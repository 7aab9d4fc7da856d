import { useQuery } from '@tanstack/react-query';
import { Line, LineChart, XAxis } from 'recharts';
import { useZone } from '../../../components/shell/company-context.ts';
import { Instant } from '../../../components/time.tsx';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { formatHour, formatMilliseconds, latencyRows } from './latency-plot.view.ts';
import {
  axisProps,
  ChartFrame,
  chartProps,
  Legend,
  NoPlot,
  PlotPanel,
  PlotTable,
  spokenRow,
  ValueAxis,
} from './plot.tsx';

const P50 = 'var(--color-series-1)';
const P95 = 'var(--color-series-2)';
const DAY_MS = 86_400_000;
const REFETCH_MS = 15_000;

export function LatencyPlot(): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.webhookEndpoints.health.queryOptions({}, { refetchInterval: REFETCH_MS }));
  return (
    <PlotPanel title="Delivery latency" query={query}>
      {(health) => <Latency health={health} />}
    </PlotPanel>
  );
}

function Latency({ health }: { health: Outputs['webhookEndpoints']['health'] }): React.JSX.Element {
  const zone = useZone();
  const rows = latencyRows(health.hours, zone);
  const last = rows.at(-1);
  const until = Date.parse(health.as_of);
  if (!last) {
    return (
      <NoPlot>
        No deliveries{' '}
        {health.counted_from === null ? (
          'in the last 24 hours'
        ) : (
          <>
            since <Instant at={health.counted_from} />
          </>
        )}
        .
      </NoPlot>
    );
  }
  return (
    <>
      <p className="mb-1 text-xs text-muted">By hour ({zone})</p>
      <Legend
        entries={[
          ['Median (p50)', P50],
          ['95th percentile (p95)', P95],
        ]}
      />
      <ChartFrame label={`Delivery latency by hour over 24 hours. ${spokenRow(last)}`}>
        <LineChart {...chartProps} data={rows}>
          <ValueAxis format={formatMilliseconds} />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={[until - DAY_MS, until]}
            tickFormatter={(at: number) => formatHour(at, zone)}
            minTickGap={40}
            {...axisProps}
          />
          <Line dataKey="p50" stroke={P50} strokeWidth={2} dot={{ r: 3, fill: P50 }} isAnimationActive={false} />
          <Line dataKey="p95" stroke={P95} strokeWidth={2} dot={{ r: 3, fill: P95 }} isAnimationActive={false} />
        </LineChart>
      </ChartFrame>
      <PlotTable label="Delivery latency by hour" first="Hour" rows={rows.toReversed()} />
    </>
  );
}
