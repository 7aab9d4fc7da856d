/** `refetchInterval` of the overview: ages and days pass without an event. */
export const PACE_MS = 60_000;
