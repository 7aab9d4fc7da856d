import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { useZone } from '../../../../components/shell/company-context.ts';
import { SimpleTable } from '../../../../components/simple-table.tsx';
import { useNow } from '../../../../components/time.tsx';
import { formatCount } from '../../../../lib/format-number.ts';
import { formatShort } from '../../../../lib/format-time.ts';
import { type Input, type Output, useTRPCClient } from '../../../../lib/trpc.ts';
import { useListSearch } from '../../../../operation/resource-list.tsx';
import { HourBrush } from './brush.tsx';
import { HOUR_MS, type Time, timeQuery } from './filters.view.ts';
import {
  type Brush,
  brushOf,
  brushText,
  type Hour,
  hoursIn,
  hoursOf,
  searchOfBrush,
  sumOf,
  sumsText,
  ticksOf,
  totalOf,
  type Window,
  windowOf,
} from './histogram.view.ts';

const REFETCH_MS = 10_000;

interface HistogramProps {
  filters: object;
  time: Time;
}

/** A read of many rows, so it has a key of its own: the stream doesn't refetch it with every event. */
function useCounts(filters: object, window: Window): UseQueryResult<Output<'deliveries.counts'>, unknown> {
  const client = useTRPCClient();
  const input: Input<'deliveries.counts'> = { ...filters, ...timeQuery(window) };
  return useQuery<Output<'deliveries.counts'>, unknown>({
    queryKey: ['delivery-counts', input],
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.deliveries.counts.query(input, { signal }),
  });
}

/** Deliveries per hour with a brush that selects the time of the list. */
export function Histogram({ filters, time }: HistogramProps): React.JSX.Element | null {
  const { search, setSearch } = useListSearch();
  const now = Math.floor(useNow() / HOUR_MS) * HOUR_MS + 1;
  const window = windowOf(search, time, now);
  const counts = useCounts(filters, window);
  if (counts.error !== null && counts.data === undefined) return null;
  const hours = hoursOf(window, counts.data?.hours ?? []);
  return (
    <section aria-label="Deliveries per hour" className="rounded-xl border bg-surface px-5 py-3">
      <Chart
        key={`${window.from} ${window.to}`}
        window={window}
        hours={hours}
        brush={brushOf(window, time)}
        onBrush={(brush) => setSearch(searchOfBrush(window, brush))}
      />
    </section>
  );
}

interface ChartProps {
  window: Window;
  hours: readonly Hour[];
  brush: Brush | undefined;
  onBrush: (brush: Brush) => void;
}

function Chart({ window, hours, brush, onBrush }: ChartProps): React.JSX.Element {
  const zone = useZone();
  const [draft, setDraft] = useState<Brush>();
  const [hovered, setHovered] = useState<number>();
  const whole: Brush = [0, hoursIn(window) - 1];
  const shown = draft ?? brush;
  const [first, last] = (hovered === undefined ? undefined : ([hovered, hovered] as const)) ?? shown ?? whole;
  const textOf = (from: number, to: number): string =>
    `${brushText(window, [from, to], zone)}: ${sumsText(sumOf(hours.slice(from, to + 1)))}`;
  return (
    <>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
        <p className="tabular-nums">{textOf(first, last)}</p>
        <span className="flex flex-wrap items-center gap-x-4">
          <Legend />
          {brush !== undefined && (
            <Button size="small" variant="quiet" onClick={() => onBrush(whole)}>
              Show all hours
            </Button>
          )}
        </span>
      </div>
      <HourBrush
        count={hours.length}
        brush={shown}
        textOf={(hour) => textOf(hour, hour)}
        onDraft={setDraft}
        onHover={setHovered}
        onBrush={(next) => {
          setDraft(undefined);
          onBrush(next);
        }}
      >
        <Bars hours={hours} brush={shown ?? whole} label={`Deliveries per hour. ${textOf(...whole)}`} />
      </HourBrush>
      <Ticks window={window} zone={zone} />
      <HoursTable hours={hours} zone={zone} onChoose={(hour) => onBrush([hour, hour])} />
    </>
  );
}

const series = [
  ['failed', 'Failed', 'var(--color-series-6)'],
  ['waiting', 'Waiting', 'var(--color-series-2)'],
  ['succeeded', 'Succeeded', 'var(--color-series-1)'],
] as const;

function Legend(): ReactNode {
  return series.toReversed().map(([name, title, colour]) => (
    <span key={name} className="inline-flex items-center gap-2">
      <span aria-hidden className="size-3 rounded-sm" style={{ background: colour }} />
      {title}
    </span>
  ));
}

const HEIGHT = 100;
/** Of a bar with a single delivery beside one with thousands. */
const LEAST = 3;

interface BarsProps {
  hours: readonly Hour[];
  brush: Brush;
  label: string;
}

function Bars({ hours, brush: [first, last], label }: BarsProps): React.JSX.Element {
  const most = Math.max(1, ...hours.map(totalOf));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${hours.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block size-full"
    >
      {hours.map((hour, i) => {
        let top = HEIGHT;
        return series.map(([name, , colour]) => {
          if (hour[name] === 0) return null;
          const height = Math.max(LEAST, (hour[name] / most) * HEIGHT);
          top -= height;
          return (
            <rect
              key={`${hour.hour} ${name}`}
              x={i + 0.1}
              y={Math.max(0, top)}
              width={0.8}
              height={height}
              fill={colour}
              opacity={i < first || i > last ? 0.35 : 1}
            />
          );
        });
      })}
    </svg>
  );
}

/** Share of the width up to which a text fits at the right of its tick, also on a phone. */
const FITS = 0.85;

function Ticks({ window, zone }: { window: Window; zone: string }): React.JSX.Element {
  const count = hoursIn(window);
  return (
    <div aria-hidden className="relative h-5 overflow-hidden text-xs text-muted tabular-nums">
      {ticksOf(window, zone).map(({ hour, text }) => (
        <span
          key={hour}
          className={`absolute top-1 max-sm:even:hidden border-line-strong whitespace-nowrap ${hour / count > FITS ? '-translate-x-full border-r pr-1' : 'border-l pl-1'}`}
          style={{ left: `${(hour / count) * 100}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  );
}

interface HoursTableProps {
  hours: readonly Hour[];
  zone: string;
  onChoose: (hour: number) => void;
}

function HoursTable({ hours, zone, onChoose }: HoursTableProps): React.JSX.Element {
  const filled = hours.flatMap((hour, at) => (totalOf(hour) === 0 ? [] : [{ ...hour, at }])).toReversed();
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit text-xs text-muted">Show as table</summary>
      <div className="-mx-5 mt-2 max-h-60 overflow-y-auto">
        <SimpleTable
          label="Deliveries per hour"
          rows={filled}
          keyOf={({ hour }) => hour}
          empty={<p className="px-5 text-muted">No deliveries.</p>}
          columns={[
            {
              title: 'Hour',
              cell: ({ hour, at }) => (
                <button
                  type="button"
                  className="min-h-6 rounded text-accent whitespace-nowrap hover:underline"
                  onClick={() => onChoose(at)}
                >
                  {formatShort(hour, zone)}
                </button>
              ),
            },
            ...(['succeeded', 'waiting', 'failed'] as const).map((name) => ({
              title: series.find(([one]) => one === name)?.[1] ?? name,
              align: 'end' as const,
              cell: (hour: Hour) => <span className="tabular-nums">{formatCount(hour[name])}</span>,
            })),
          ]}
        />
      </div>
    </details>
  );
}
