import type { Choice } from '../statement.ts';
import type { Step } from '../step.ts';
import type { Aggregate } from './ofx-tree.ts';

/** What an amount without a minus is, in an account whose signs and types disagree. */
export type SignReading = 'in' | 'out';

const moneyIn: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT']);
const moneyOut: ReadonlySet<string> = new Set(['DEBIT', 'CHECK', 'FEE', 'SRVCHG', 'CASH', 'DIRECTDEBIT']);
/** Money out unless the amount has a sign that says otherwise. */
const mostlyOut: ReadonlySet<string> = new Set([...moneyOut, 'ATM', 'POS', 'PAYMENT', 'REPEATPMT']);

/**
 * `unsigned`: no amount has a minus, though a type is money out: some banks leave the sign to the type. `reversed`: all
 * amounts whose types are money out are positive, and all that are money in negative.
 */
type Disagreement = 'unsigned' | 'reversed';

const hasMinus = (one: Aggregate): boolean => /[-(]/.test(amountOf(one));

/**
 * The signs of a file's amounts, by account. One amount that agrees with its type shows that the bank writes signs, and
 * then a positive debit is a refund.
 */
export class OfxSigns {
  readonly #accounts = new Map<string, Disagreement>();
  /** The first transaction whose direction is open. */
  readonly example: { text: string; kind: Disagreement } | undefined;

  /** @param transactions booked ones, and the name of the account of each */
  constructor(transactions: readonly { account: string; transaction: Aggregate }[], step: Step) {
    step(transactions.length);
    for (const [account, all] of Map.groupBy(transactions, (one) => one.account)) {
      const found = disagreementOf(all.map(({ transaction }) => transaction));
      if (found === undefined) continue;
      this.#accounts.set(account, found.kind);
      this.example ??= { text: `${typeOf(found.debit)} ${amountOf(found.debit)}`, kind: found.kind };
    }
  }

  /** The amount of a transaction by a reading of the signs. */
  apply(cents: number, transaction: Aggregate, { account, sign }: { account: string; sign: SignReading }): number {
    const kind = this.#accounts.get(account);
    if (sign === 'in' || kind === undefined) return cents;
    return kind === 'reversed' || isOutByType(transaction) ? 0 - cents : cents;
  }
}

function disagreementOf(transactions: readonly Aggregate[]): { kind: Disagreement; debit: Aggregate } | undefined {
  const counted = transactions.filter((one) => /[1-9]/.test(amountOf(one)));
  const debits = counted.filter((one) => moneyOut.has(typeOf(one)));
  const credits = counted.filter((one) => moneyIn.has(typeOf(one)));
  const [debit] = debits;
  if (debits.some(hasMinus)) return undefined;
  if (debit !== undefined && credits.length > 0 && credits.every(hasMinus)) return { kind: 'reversed', debit };
  const open = counted.find((one) => mostlyOut.has(typeOf(one)) && !amountOf(one).includes('+'));
  return open === undefined || transactions.some(hasMinus) ? undefined : { kind: 'unsigned', debit: open };
}

/** The ways to read the signs, the likely one first. */
export function signChoices({
  text,
  kind,
}: NonNullable<OfxSigns['example']>): readonly (Choice & { value: SignReading })[] {
  const labels = {
    unsigned: [
      `The type decides: ${[...moneyIn].join(', ')} are money in, the other types money out`,
      'All are money in',
    ],
    reversed: ['Money out, and those with a minus are money in', 'Money in, and those with a minus are money out'],
  } as const;
  const [out, into] = labels[kind];
  return [
    { value: 'out', label: out, example: text },
    { value: 'in', label: into, example: text },
  ];
}

/** True if an amount without a sign is money out by the type of its transaction. */
function isOutByType(transaction: Aggregate): boolean {
  return !moneyIn.has(typeOf(transaction)) && !amountOf(transaction).includes('+');
}

function amountOf({ fields }: Aggregate): string {
  return fields.get('TRNAMT') ?? '';
}

function typeOf({ fields }: Aggregate): string {
  return (fields.get('TRNTYPE') ?? '').toUpperCase();
}
