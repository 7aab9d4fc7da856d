import type { FieldError } from '@finhook/contracts';

/** The fault of a fee without a currency: which one is meant is never guessed. */
export function missingCurrency(
  feeCents: number | null | undefined,
  currency: string | null | undefined,
): FieldError | undefined {
  if (feeCents == null || currency != null) return undefined;
  return { pointer: '/currency', code: 'required', message: 'is required beside fee_cents' };
}
