type Fields<N extends string> = Record<`${N}_cents`, number | null> & Partial<Record<`${N}_string`, string>>;

/** A sum as records carry it: a number where a double holds it, else text beside `null`; `undefined` is no value. */
export function exactCentsOf<const N extends string>(name: N, value: bigint | undefined): Fields<N> {
  const fits = value !== undefined && Number.isSafeInteger(Number(value)) && BigInt(Number(value)) === value;
  return typed<N>({
    [`${name}_cents`]: fits ? Number(value) : null,
    ...(fits || value === undefined ? {} : { [`${name}_string`]: value.toString() }),
  });
}

// The keys are made from the name that the type is made from.
function typed<N extends string>(fields: Record<string, unknown>): Fields<N> {
  return fields as Fields<N>;
}
