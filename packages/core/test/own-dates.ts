/** Days and months of a time zone by Intl, independent of the service's code. */
export interface OwnZone {
  dayOf(instant: number): string;
  /** The first instant of a day. */
  startOf(day: string): number;
}

const DAY = 86_400_000;

export function openOwnZone(timeZone: string): OwnZone {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const known = new Map<string, number>();
  const dayOf = (instant: number): string => format.format(instant);
  const search = (day: string): number => {
    let [before, after] = [Date.parse(day) - DAY, Date.parse(day) + DAY];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (dayOf(middle) >= day) after = middle;
      else before = middle;
    }
    return after;
  };
  return {
    dayOf,
    startOf(day) {
      const start = known.get(day) ?? search(day);
      known.set(day, start);
      return start;
    },
  };
}

export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

export function shiftMonth(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}
