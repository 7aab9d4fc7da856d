import type { Choice } from '../statement.ts';
import type { Step } from '../step.ts';
import type { Aggregate } from './ofx-tree.ts';

/** The direction of amounts in a file that has no minus. */
export type UnsignedAmounts = 'in' | 'out';

const moneyIn: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT']);
const moneyOut: ReadonlySet<string> = new Set(['DEBIT', 'CHECK', 'FEE', 'SRVCHG', 'CASH', 'DIRECTDEBIT']);

/**
 * The first transaction whose type is money out, in a file whose amounts have no minus: some banks leave the sign to the
 * type. Undefined if one amount has a minus, since the bank writes signs then, and a positive debit is a refund.
 *
 * @param transactions all of the file
 */
export function unsignedDebit(transactions: readonly Aggregate[], step: Step): string | undefined {
  step(transactions.length);
  if (transactions.some((one) => /[-(]/.test(amountOf(one)))) return undefined;
  const debit = transactions.find((one) => {
    const amount = amountOf(one);
    return one.name === 'STMTTRN' && moneyOut.has(typeOf(one)) && !amount.includes('+') && /[1-9]/.test(amount);
  });
  return debit && `${typeOf(debit)} ${amountOf(debit)}`;
}

/** The ways to read amounts without a sign, the likely one first. */
export function signChoices(example: string): readonly (Choice & { value: UnsignedAmounts })[] {
  const types = [...moneyIn].join(', ');
  return [
    { value: 'out', label: `The type decides: ${types} are money in, the other types money out`, example },
    { value: 'in', label: 'All are money in', example },
  ];
}

/** True if an amount without a sign is money out by the type of its transaction. */
export function isOutByType(transaction: Aggregate): boolean {
  return !moneyIn.has(typeOf(transaction)) && !amountOf(transaction).includes('+');
}

function amountOf({ fields }: Aggregate): string {
  return fields.get('TRNAMT') ?? '';
}

function typeOf({ fields }: Aggregate): string {
  return (fields.get('TRNTYPE') ?? '').toUpperCase();
}
