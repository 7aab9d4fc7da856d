interface NamedParameters<Name extends string> {
  p: Readonly<Record<Name, string>>;
  valuesOf: (named: Readonly<Record<Name, unknown>>) => unknown[];
}

/** Numbers the parameters of a statement in the order of `names`. */
export function nameParameters<const Name extends string>(...names: readonly Name[]): NamedParameters<Name> {
  return { p: placeholders(names), valuesOf: (named) => names.map((name) => named[name]) };
}

function placeholders<Name extends string>(names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name, i) => [name, `$${i + 1}`])) as Record<Name, string>;
}
