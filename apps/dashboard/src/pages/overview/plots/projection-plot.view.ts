import { formatMoney } from '@finhook/contracts/currency';
import { bigOf, exactOf } from '../../../lib/exact-cents.ts';
import { formatDay } from '../../../lib/format-time.ts';
import { dayAfter } from '../../../lib/zoned-time.ts';
import type { RunwayLine } from '../runway-tile.view.ts';
import type { PlotRow } from './plot.tsx';

const DAYS_PER_MONTH = 30.436875;
const LEAST_MONTHS = 6;
const MOST_MONTHS = 60;
const POSITIVE_MONTHS = 12;
const MOST_TICKS = 7;

interface ProjectionRow extends PlotRow {
  /** Days from today. */
  day: number;
  date: string;
  mean: number;
  /** One standard deviation around the projection; undefined if it is unknown. */
  band: [low: number, high: number] | undefined;
}

/**
 * Projects cash by month at the mean net burn until it reaches zero. The band is one standard deviation to either side:
 * that of k independent months is √k times that of one. Empty without cash, or if the burn is unknown.
 */
export function projectionRows(line: RunwayLine, stddevCents: number | null, today: string): ProjectionRow[] {
  const { currency, runway_months } = line;
  if (exactOf(line.cash_cents, line.cash_string) === null) return [];
  if (exactOf(line.net_burn_cents, line.net_burn_string) === null) return [];
  const [cash, burn] = [bigOf(line.cash_cents, line.cash_string), bigOf(line.net_burn_cents, line.net_burn_string)];
  if (cash <= 0n) return [];
  const enough = runway_months === null ? POSITIVE_MONTHS : Math.ceil(runway_months) + 1;
  const months = Math.min(Math.max(enough, LEAST_MONTHS), MOST_MONTHS);
  const money = (value: bigint): string => formatMoney(value, currency);
  const lasts = burn > 0n ? Number((cash * 10_000n) / burn) / 10_000 : Number.POSITIVE_INFINITY;
  const whole = Array.from({ length: months + 1 }, (_, k) => k).filter((k) => k < lasts);
  const steps = lasts <= months ? [...whole, lasts] : whole;
  return steps.map((k) => {
    const mean = k === lasts ? 0n : cash - BigInt(k) * burn;
    const spread = stddevCents === null ? undefined : BigInt(Math.round(stddevCents * Math.sqrt(k)));
    // The last step may be less than a day after the previous one.
    const before = Math.floor((Math.ceil(k) - 1) * DAYS_PER_MONTH);
    const day = Math.max(Math.floor(k * DAYS_PER_MONTH), before + 1);
    const date = dayAfter(today, day);
    const [low, high] = spread === undefined ? [] : [mean > spread ? mean - spread : 0n, mean + spread];
    const band = low === undefined || high === undefined ? undefined : ([low, high] as const);
    return {
      day,
      date,
      label: formatDay(date),
      mean: Number(mean),
      band: band && [Number(band[0]), Number(band[1])],
      tip: [
        ['Cash', money(mean)],
        ...(band ? [['Low', money(band[0])] as const, ['High', money(band[1])] as const] : []),
      ],
    };
  });
}

/** Days from `today` to the first of each month up to `lastDay`, reduced to a readable number. */
export function monthTicks(today: string, lastDay: number): number[] {
  const firsts = Array.from({ length: lastDay + 1 }, (_, day) => day).filter((day) =>
    dayAfter(today, day).endsWith('-01'),
  );
  const step = Math.ceil(firsts.length / MOST_TICKS);
  return firsts.filter((_, i) => i % step === 0);
}
