/**
 * Narrows a URL value to a filter value without checking it. The service validates it, and the page shows the error.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- one cast for all lists and their values
export function asFilter<Value extends string>(text: string | undefined): Value | undefined {
  return text as Value | undefined;
}
