/** Months that the overview reads: all that shows money in and out shares one answer. */
export const MONTHS_SHOWN = 12;
