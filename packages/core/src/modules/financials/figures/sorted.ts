/** Counts the first items that fulfil a condition; no later item may. Takes logarithmic time. */
export function countFirst<T>(sorted: readonly T[], isAmong: (item: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && isAmong(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
