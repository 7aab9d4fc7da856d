import type { Choice } from '../statement.ts';
import type { Step } from '../step.ts';
import type { Aggregate } from './ofx-tree.ts';

/**
 * How to read an account whose signs and types disagree. `in`: as written. `out`: the type decides if the account is
 * `unsigned`, and all signs are inverted if it is `reversed`.
 */
export type SignReading = 'in' | 'out';

const moneyIn: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT']);
const moneyOut: ReadonlySet<string> = new Set(['DEBIT', 'CHECK', 'FEE', 'SRVCHG', 'CASH', 'DIRECTDEBIT']);
/** Usually money out. */
const mostlyOut: ReadonlySet<string> = new Set(['ATM', 'POS']);
/** Money out of a bank account, but money in on a card. */
const payments: ReadonlySet<string> = new Set(['PAYMENT', 'REPEATPMT']);

/** `unsigned`: no amount has a minus. `reversed`: amounts of all types have the opposite sign. */
type Disagreement = 'unsigned' | 'reversed';

export interface OfxTransaction {
  account: string;
  isCard: boolean;
  transaction: Aggregate;
}

const hasMinus = (one: Aggregate): boolean => /[-(]/.test(amountOf(one));

/** Signs by account: one amount that agrees with its type shows that the bank writes signs. */
export class OfxSigns {
  readonly #accounts = new Map<string, Disagreement>();
  /** The first ambiguous transaction. */
  readonly example: { text: string; kind: Disagreement } | undefined;

  constructor(transactions: readonly OfxTransaction[], step: Step) {
    step(transactions.length);
    const hasSigns = transactions.some(({ transaction }) => hasMinus(transaction));
    for (const [account, all] of Map.groupBy(transactions, (one) => one.account)) {
      const found = disagreementOf(all, hasSigns);
      if (found === undefined) continue;
      this.#accounts.set(account, found.kind);
      this.example ??= { text: `${typeOf(found.debit)} ${amountOf(found.debit)}`, kind: found.kind };
    }
  }

  apply(cents: number, transaction: Aggregate, { account, sign }: { account: string; sign: SignReading }): number {
    const kind = this.#accounts.get(account);
    if (sign === 'in' || kind === undefined) return cents;
    return kind === 'reversed' || isOutByType(transaction) ? 0 - cents : cents;
  }
}

function disagreementOf(
  all: readonly OfxTransaction[],
  hasSigns: boolean,
): { kind: Disagreement; debit: Aggregate } | undefined {
  const counted = all.filter(({ transaction }) => /[1-9]/.test(amountOf(transaction)));
  const debits = ofTypes(counted, moneyOut);
  const credits = ofTypes(counted, moneyIn);
  const [debit] = debits;
  if (debits.some(hasMinus)) return undefined;
  if (debit !== undefined && credits.length > 0 && credits.every(hasMinus)) return { kind: 'reversed', debit };
  if (all.some(({ transaction }) => hasMinus(transaction))) return undefined;
  const ofBank = counted.filter(({ isCard }) => !isCard);
  const likely = hasSigns ? [] : [...ofTypes(counted, mostlyOut), ...ofTypes(ofBank, payments)];
  const open = [...debits, ...likely].find((one) => !amountOf(one).includes('+'));
  return open && { kind: 'unsigned', debit: open };
}

function ofTypes(all: readonly OfxTransaction[], types: ReadonlySet<string>): Aggregate[] {
  return all.flatMap(({ transaction }) => (types.has(typeOf(transaction)) ? [transaction] : []));
}

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

function isOutByType(transaction: Aggregate): boolean {
  return !moneyIn.has(typeOf(transaction)) && !amountOf(transaction).includes('+');
}

function amountOf({ fields }: Aggregate): string {
  return fields.get('TRNAMT') ?? '';
}

function typeOf({ fields }: Aggregate): string {
  return (fields.get('TRNTYPE') ?? '').toUpperCase();
}
