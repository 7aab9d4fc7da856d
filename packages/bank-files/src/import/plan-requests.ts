import { BankFileError } from '../errors.ts';
import type { BankFile, FileAccount, FileBalance, FileTransaction } from '../interpret.ts';
import type { SentBalance, SentTransaction } from './api.ts';

/** Rows and bytes per request, as the service accepts them: of its 2 MiB, the sender adds less than the rest. */
const MAX_ROWS = 500;
const MAX_BYTES = 2_000_000;

/** A request to an ingest endpoint. Balances come after the transactions that explain them. */
export type PlannedRequest = PlannedRows | { kind: 'balance'; balance: FileBalance };

export interface PlannedRows {
  kind: 'transactions';
  rows: readonly FileTransaction[];
  /** The bare number of the account, under which earlier versions stored all of its currencies. */
  former: string | null;
}

/**
 * The requests that store a file. All rows of an account with one day and amount are in one request, because the service
 * counts how many of them it knows.
 *
 * @throws {BankFileError} for more such rows than a request may have
 */
export function planRequests({ accounts }: Pick<BankFile, 'accounts'>): PlannedRequest[] {
  return [
    ...accounts.flatMap((account) =>
      [...requestsOf(account.transactions)].map(
        (rows): PlannedRequest => ({ kind: 'transactions', rows, former: formerOf(account) }),
      ),
    ),
    ...accounts.flatMap(({ balances }) => balances.map((balance): PlannedRequest => ({ kind: 'balance', balance }))),
  ];
}

function formerOf({ account, currency, connection_id }: FileAccount): string | null {
  return account !== '' && connection_id === `${account} ${currency}` ? account : null;
}

function* requestsOf(transactions: readonly FileTransaction[]): Generator<FileTransaction[]> {
  const encoder = new TextEncoder();
  const sizeOf = (row: FileTransaction): number => encoder.encode(`${JSON.stringify(sentRow(row))},`).length;
  let rows: FileTransaction[] = [];
  let bytes = 0;
  for (const group of Map.groupBy(transactions, (row) => `${row.posted_at} ${row.amount_cents}`).values()) {
    const size = group.reduce((sum, row) => sum + sizeOf(row), 0);
    if (group.length > MAX_ROWS || size > MAX_BYTES) throw tooManyAlike(group);
    if (rows.length > 0 && (rows.length + group.length > MAX_ROWS || bytes + size > MAX_BYTES)) {
      yield rows;
      [rows, bytes] = [[], 0];
    }
    rows = [...rows, ...group];
    bytes += size;
  }
  if (rows.length > 0) yield rows;
}

function tooManyAlike(group: readonly FileTransaction[]): BankFileError {
  const [first] = group;
  const message =
    `${group.length} rows of ${first?.posted_at.slice(0, 10)} have the same amount; at most ${MAX_ROWS} of ` +
    'one day and amount, and 2 MB of them, can be told from those that are stored. Post them over the API, with ids';
  return new BankFileError(message, { line: first?.line ?? 1, column: 1 });
}

export function sentRow({ line: _line, ...row }: FileTransaction): SentTransaction {
  return row;
}

export function sentBalance({ line: _line, ...balance }: FileBalance): SentBalance {
  return balance;
}
