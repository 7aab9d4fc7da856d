/** Figures per currency with the base currency's at the head; the others stay in their order. */
export function baseCurrencyFirst<T extends { currency: string }>(figures: readonly T[], base: string): T[] {
  return [
    ...figures.filter(({ currency }) => currency === base),
    ...figures.filter(({ currency }) => currency !== base),
  ];
}
