/** A count with a space between its thousands, as the names of figures have it. */
export function grouped(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}
