import { UnstorableFile } from '../errors.ts';
import type { BankFile, FileBalance, FileTransaction } from '../interpret.ts';
import { repeatedIn } from '../values.ts';
import type { SentBalance, SentTransaction } from './api.ts';

/** Maximum of rows and bytes per request. The sender adds less than the rest of the service's 2 MiB. */
const MAX_ROWS = 500;
const MAX_BYTES = 2_000_000;

/** Balances come after the transactions that explain them. */
export type PlannedRequest = PlannedRows | { kind: 'balance'; balance: FileBalance };

export interface PlannedRows {
  kind: 'transactions';
  rows: readonly FileTransaction[];
  /** Other connections that may have rows of earlier imports. */
  former: readonly string[];
  /** References that occur more than once, so they identify no row. */
  reused: readonly string[];
}

/**
 * Rows with the same account, day and amount are in one request, because the service counts them. @throws
 * {UnstorableFile} if they don't fit
 */
export function planRequests({ accounts }: Pick<BankFile, 'accounts'>): PlannedRequest[] {
  return [
    ...accounts.flatMap(({ transactions, former }) => {
      const reused = repeatedIn(transactions.map((row) => row.external_id));
      return [...requestsOf(transactions)].map(
        (rows): PlannedRequest => ({
          kind: 'transactions',
          rows,
          former,
          reused: [...new Set(rows.flatMap(({ external_id: id }) => (id !== undefined && reused.has(id) ? [id] : [])))],
        }),
      );
    }),
    ...accounts.flatMap(({ balances }) => balances.map((balance): PlannedRequest => ({ kind: 'balance', balance }))),
  ];
}

function* requestsOf(transactions: readonly FileTransaction[]): Generator<FileTransaction[]> {
  const encoder = new TextEncoder();
  const sizeOf = (row: FileTransaction): number => encoder.encode(`${JSON.stringify(sentRow(row))},`).length;
  let rows: FileTransaction[] = [];
  let bytes = 0;
  for (const group of Map.groupBy(transactions, (row) => `${row.posted_at} ${row.amount_cents}`).values()) {
    const size = group.reduce((sum, row) => sum + sizeOf(row), 0);
    if (group.length > MAX_ROWS || size > MAX_BYTES) throw tooManyEqualRows(group);
    if (rows.length > 0 && (rows.length + group.length > MAX_ROWS || bytes + size > MAX_BYTES)) {
      yield rows;
      [rows, bytes] = [[], 0];
    }
    rows = [...rows, ...group];
    bytes += size;
  }
  if (rows.length > 0) yield rows;
}

function tooManyEqualRows(group: readonly FileTransaction[]): UnstorableFile {
  const [first] = group;
  const message =
    `${group.length} rows of ${first?.posted_at.slice(0, 10)} have the same amount; at most ${MAX_ROWS} of ` +
    'one day and amount, and 2 MB, can be compared with stored rows. Post them over the API, with ids';
  return new UnstorableFile(message, { line: first?.line, file: first?.file });
}

export function sentRow({ line: _line, file: _file, ...row }: FileTransaction): SentTransaction {
  return row;
}

export function sentBalance({ line: _line, file: _file, ...balance }: FileBalance): SentBalance {
  return balance;
}
