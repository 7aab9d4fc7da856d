/** A value of the address as one that a filter may have: the service checks it, and the page shows its refusal. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- one cast for all lists, each with values of its own
export function asFilter<Value extends string>(text: string | undefined): Value | undefined {
  return text as Value | undefined;
}
