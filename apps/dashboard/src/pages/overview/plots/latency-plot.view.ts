import type { Outputs } from '../../../lib/trpc.ts';
import type { PlotRow } from './plot.tsx';

type Hours = Outputs['webhookEndpoints']['health']['hours'];

interface LatencyRow extends PlotRow {
  at: number;
  p50: number;
  p95: number;
}

/** `14:00` in a time zone. */
export function formatHour(at: number, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone }).format(at);
}

/** `340 ms`, `2.4 s`, `12 min`. */
export function formatMilliseconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

export function latencyRows(hours: Hours, zone: string): LatencyRow[] {
  return hours.flatMap(({ from, latency_p50_ms: p50, latency_p95_ms: p95, succeeded }) => {
    if (p50 === null || p95 === null) return [];
    const at = Date.parse(from);
    const tip = [
      ['p50', formatMilliseconds(p50)],
      ['p95', formatMilliseconds(p95)],
      ['Delivered', succeeded.toLocaleString('en')],
    ] as const;
    return [{ at, p50, p95, label: `${formatHour(at, zone)} (${zone})`, tip }];
  });
}
