export type Cents = number | null;

export interface Amount {
  cents: Cents;
  digits: string | undefined;
}

/** An amount of a response: `amountIn(flow, 'money_in')` reads `money_in_cents` and `money_in_string`. */
export function amountIn<Name extends string>(
  record: { readonly [Key in `${Name}_cents`]: Cents } & { readonly [Key in `${Name}_string`]?: string | undefined },
  name: Name,
): Amount {
  const cents: { readonly [Key in `${Name}_cents`]: Cents } = record;
  const digits: { readonly [Key in `${Name}_string`]?: string | undefined } = record;
  return { cents: cents[`${name}_cents`], digits: digits[`${name}_string`] };
}

export function exactOf(cents: Cents, digits: string | undefined): number | string | null {
  return digits ?? cents;
}

export function bigOf(cents: Cents, digits?: string): bigint {
  return BigInt(digits ?? cents ?? 0);
}
