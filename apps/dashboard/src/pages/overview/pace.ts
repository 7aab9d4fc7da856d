/** `refetchInterval` of the overview: ages and days change without an event. */
export const PACE_MS = 60_000;
