export function baseCurrencyFirst<T extends { currency: string }>(figures: readonly T[], base: string): T[] {
  return [
    ...figures.filter(({ currency }) => currency === base),
    ...figures.filter(({ currency }) => currency !== base),
  ];
}
