import { z } from 'zod';

type ExactCents<N extends string> = Record<`${N}_cents`, z.ZodNullable<z.ZodInt>> &
  Record<`${N}_string`, z.ZodOptional<z.ZodString>>;

/**
 * The two fields of a sum in minor units: `<name>_cents`, which is null when there is no value or when it lies beyond
 * 2^53−1; only then `<name>_string` has its digits.
 */
export function exactCents<const N extends string>(name: N, meaning: string): ExactCents<N> {
  return fields<N>({
    [`${name}_cents`]: z
      .int()
      .nullable()
      .describe(`${meaning} In minor currency units; null if unknown or beyond 2^53−1 (see \`${name}_string\`).`),
    [`${name}_string`]: z.string().optional().describe(`Digits of \`${name}_cents\`, present only beyond 2^53−1.`),
  });
}

// The keys are made from the name that the type is made from.
function fields<N extends string>(shape: Record<string, z.ZodType>): ExactCents<N> {
  return shape as ExactCents<N>;
}
