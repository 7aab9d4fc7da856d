/** The order of a list: a value of its parameter `sort`, and its direction. */
export interface ListOrder {
  by: string;
  isDescending: boolean;
}

/** The order that the address names. The first of `sorts` is the default; a list without any has one order. */
export function orderOf(
  sorts: readonly string[],
  { sort, order }: Readonly<Record<string, string | undefined>>,
): ListOrder | undefined {
  const by = sorts.find((name) => name === sort) ?? sorts[0];
  return by === undefined ? undefined : { by, isDescending: order !== 'asc' };
}

/** The parameters of the address and of the list that name an order; none for the default. */
export function orderSearch(
  [first]: readonly string[],
  { by, isDescending }: ListOrder,
): { sort: string | undefined; order: 'asc' | undefined } {
  return { sort: by === first ? undefined : by, order: isDescending ? undefined : 'asc' };
}

/** The parameters that name an order of a file, which has the default `sort` only: another one would read all rows per page. */
export function fileOrder(sorts: readonly string[], order: ListOrder): ReturnType<typeof orderSearch> {
  const search = orderSearch(sorts, order);
  return search.sort === undefined ? search : { sort: undefined, order: undefined };
}

/**
 * The order after a press on the header of `by`: descending, then ascending, then the default, whose own header a phone
 * may not show.
 */
export function nextOrder([first = '']: readonly string[], now: ListOrder, by: string): ListOrder {
  if (now.by !== by) return { by, isDescending: true };
  return now.isDescending ? { by, isDescending: false } : { by: first, isDescending: true };
}
