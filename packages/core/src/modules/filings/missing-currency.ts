import type { FieldError } from '@finhook/contracts';

/** Rejects a fee without a currency; the service never guesses one. */
export function missingCurrency(
  feeCents: number | null | undefined,
  currency: string | null | undefined,
): FieldError | undefined {
  if (feeCents == null || currency != null) return undefined;
  return { pointer: '/currency', code: 'required', message: 'is required with fee_cents' };
}
