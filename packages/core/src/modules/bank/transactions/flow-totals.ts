import type { BankTransactionRow } from '@finhook/contracts';

/** Money in and out per currency, both as positive sums. */
export function flowTotalsOf(rows: readonly Pick<BankTransactionRow, 'amount_cents' | 'currency'>[]) {
  const totals = new Map<string, { currency: string; in: bigint; out: bigint }>();
  for (const { amount_cents, currency } of rows) {
    const line = totals.get(currency) ?? { currency, in: 0n, out: 0n };
    if (amount_cents > 0) line.in += BigInt(amount_cents);
    else line.out -= BigInt(amount_cents);
    totals.set(currency, line);
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
