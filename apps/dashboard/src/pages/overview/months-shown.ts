/** Months that the overview reads. All tiles and plots of money in and out share one query. */
export const MONTHS_SHOWN = 12;
