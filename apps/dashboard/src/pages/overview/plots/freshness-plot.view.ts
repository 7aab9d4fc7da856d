import type { Outputs } from '../../../lib/trpc.ts';

type History = Outputs['cash']['history'];

/** A series' balance on a day: received that day, carried from an earlier day (in three ages), or none yet. */
export type DayState = 'received' | 'carried' | 'late' | 'stale' | 'none';

interface StripDay {
  date: string;
  state: DayState;
  /** Days since the balance in effect; 0 for a balance of the same day. */
  age: number;
}

export interface Strip {
  connectionId: string | null;
  days: StripDay[];
  received: number;
  /** The longest gap between balances, in days. */
  longestGap: number;
}

const DAY_MS = 86_400_000;
/** The freshness limit for a day's balance (decision D41). */
const FRESH_DAYS = 2;
const LATE_DAYS = 6;

function stateOf(age: number): DayState {
  if (age <= 0) return 'received';
  if (age <= FRESH_DAYS) return 'carried';
  return age <= LATE_DAYS ? 'late' : 'stale';
}

export function stripsOf({ streams, to }: History, count: number): Strip[] {
  const last = Date.parse(`${to}T00:00:00Z`);
  const dates = Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  return streams
    .filter(({ excluded }) => excluded === null)
    .map(({ connection_id, points }) => {
      const byDay = new Map(points.map((point) => [point.date, point.as_of]));
      const days = dates.map((date): StripDay => {
        const asOf = byDay.get(date);
        if (asOf === undefined) return { date, state: 'none', age: 0 };
        const age = Math.max(0, Math.round((Date.parse(date) - Date.parse(asOf)) / DAY_MS));
        return { date, state: stateOf(age), age };
      });
      return {
        connectionId: connection_id,
        days,
        received: days.filter(({ state }) => state === 'received').length,
        longestGap: Math.max(0, ...days.map(({ age }) => age)),
      };
    });
}
