import type { BankTransactionInput } from '@finhook/contracts';

export type FileFormat = 'csv' | 'ofx' | 'camt.053' | 'mt940' | 'bai2';

/** Something that was left out of the result, or does not add up. */
export interface FileProblem {
  line: number;
  column: number;
  /**
   * `row` and `account` problems leave out what should be stored, and `unbooked` what the bank has not booked yet; `totals` are
   * rows that do not add up to the change of the balance.
   */
  code: 'row' | 'account' | 'unbooked' | 'totals' | 'reference';
  message: string;
}

/** A row as the parsers read it. */
export interface RawTransaction {
  line: number;
  /** The day that the bank posted it. */
  day: string;
  cents: number;
  currency: string;
  description: string;
  counterparty?: string | undefined;
  category?: string | undefined;
  /** The bank's own id of the transaction, if the format has one. */
  reference?: string | undefined;
}

export interface RawBalance {
  day: string;
  cents: number;
  currency: string;
}

/** One account of a file, with all its statements. */
export interface RawAccount {
  /** The bank's number of the account; empty if the file names none. */
  account: string;
  currency: string;
  transactions: RawTransaction[];
  balances: RawBalance[];
}

export interface RawFile {
  /** By number and currency. */
  accounts: Map<string, RawAccount>;
  problems: FileProblem[];
}

/** A row of the ingest endpoint, and the line that it comes from. */
export type FileTransaction = Required<Pick<BankTransactionInput, 'external_id' | 'posted_at' | 'amount_cents'>> &
  Pick<BankTransactionInput, 'description' | 'category' | 'counterparty'> & {
    currency: string;
    source: string;
    connection_id: string | null;
    line: number;
  };

export interface FileBalance {
  as_of: string;
  balance_cents: number;
  currency: string;
  source: string;
  connection_id: string | null;
}

export interface FileAccount {
  account: string;
  connection_id: string | null;
  currency: string;
  transactions: FileTransaction[];
  balances: FileBalance[];
}

export function isSkipped({ code }: FileProblem): boolean {
  return code === 'row' || code === 'account';
}

export function emptyFile(): RawFile {
  return { accounts: new Map(), problems: [] };
}

/** Finds the account of a file, or adds it: a file may have several statements of one. */
export function accountOf(file: RawFile, account: string, currency: string): RawAccount {
  const key = `${account}\0${currency}`;
  const known = file.accounts.get(key);
  if (known) return known;
  const added: RawAccount = { account, currency, transactions: [], balances: [] };
  file.accounts.set(key, added);
  return added;
}

/** Reports a statement whose transactions do not explain its balances: lines are missing, or a sign is wrong. */
export function checkTotals(
  file: RawFile,
  line: number,
  { account, opening, closing, sum }: { account: string; opening: number; closing: number; sum: number },
): void {
  if (opening + sum === closing) return;
  const message = `the transactions of ${account || 'the account'} add up to ${sum}, but the balance changes by ${closing - opening} (minor units)`;
  file.problems.push({ line, column: 1, code: 'totals', message });
}
