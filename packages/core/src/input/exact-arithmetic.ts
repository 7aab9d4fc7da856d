/** An exact fraction with a positive denominator. Money is rounded once, at the output. */
export interface Rational {
  n: bigint;
  d: bigint;
}

export function rational(n: bigint, d: bigint = 1n): Rational {
  return d < 0n ? { n: -n, d: -d } : { n, d };
}

/** The quotient rounded towards −∞. `d` must be positive. */
export function floorDivide(n: bigint, d: bigint): bigint {
  const quotient = n / d;
  return n % d < 0n ? quotient - 1n : quotient;
}

/** The nearest integer; a half goes to the even neighbour (IEEE 754 roundTiesToEven). */
export function roundHalfEven({ n, d }: Rational): bigint {
  const floor = floorDivide(n, d);
  const twice = 2n * (n - floor * d);
  if (twice === d) return floor % 2n === 0n ? floor : floor + 1n;
  return twice > d ? floor + 1n : floor;
}

/** `a / b` times ten, rounded down, as a number with one decimal. `b` must be positive. */
export function floorToTenth(a: Rational, b: Rational): number {
  return Number(floorDivide(10n * a.n * b.d, a.d * b.n)) / 10;
}

/** `values` must not be empty. */
export function mean(values: readonly bigint[]): Rational {
  return rational(
    values.reduce((sum, value) => sum + value, 0n),
    BigInt(values.length),
  );
}

export function median(values: readonly bigint[]): Rational {
  const sorted = values.toSorted(compareBigInts);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1] ?? 0n, sorted[middle] ?? 0n];
  return sorted.length % 2 === 1 ? rational(high) : rational(low + high, 2n);
}

export function compareBigInts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Fields<N extends string> = Record<`${N}_cents`, number | null> & Partial<Record<`${N}_string`, string>>;

/** A sum in the fields of a record: a number if a double represents it exactly, otherwise null and text. */
export function exactCentsOf<const N extends string>(name: N, value: bigint | undefined): Fields<N> {
  const fits = value !== undefined && Number.isSafeInteger(Number(value)) && BigInt(Number(value)) === value;
  return typed<N>({
    [`${name}_cents`]: fits ? Number(value) : null,
    ...(fits || value === undefined ? {} : { [`${name}_string`]: value.toString() }),
  });
}

// The keys are built from the same name as the type.
function typed<N extends string>(fields: Record<string, unknown>): Fields<N> {
  return fields as Fields<N>;
}
