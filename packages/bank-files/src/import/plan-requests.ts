import { sha256 } from '../hash.ts';
import type { BankFile, FileBalance, FileTransaction } from '../interpret.ts';

/** Rows and bytes per request, as the service accepts them: of its 2 MiB, the sender adds less than the rest. */
const MAX_ROWS = 500;
const MAX_BYTES = 2_000_000;

/** A request to an ingest endpoint. Balances come after the transactions that explain them. */
export type PlannedRequest = { idempotencyKey: string } & (
  | { kind: 'transactions'; rows: readonly FileTransaction[]; body: { transactions: Omit<FileTransaction, 'line'>[] } }
  | { kind: 'balance'; body: Omit<FileBalance, 'line'> }
);

/**
 * The requests that store a file. A key is made of the file's hash, the number of the request, and a hash of its body:
 * the same file repeats its keys, and read with another mapping it has others.
 */
export async function planRequests({ hash, accounts }: Pick<BankFile, 'hash' | 'accounts'>): Promise<PlannedRequest[]> {
  const requests: PlannedRequest[] = [];
  const keyOf = async (kind: string, body: object): Promise<string> => {
    const digest = await sha256(JSON.stringify(body));
    return `file-${hash.slice(0, 32)}-${kind}-${requests.length + 1}-${digest.slice(0, 16)}`;
  };
  for (const { transactions } of accounts) {
    for (const rows of chunksOf(transactions)) {
      const body = { transactions: rows.map(withoutLine) };
      requests.push({ kind: 'transactions', rows, body, idempotencyKey: await keyOf('transactions', body) });
    }
  }
  for (const balance of accounts.flatMap(({ balances }) => balances)) {
    const body = withoutLine(balance);
    requests.push({ kind: 'balance', body, idempotencyKey: await keyOf('balance', body) });
  }
  return requests;
}

function* chunksOf(transactions: readonly FileTransaction[]): Generator<FileTransaction[]> {
  const encoder = new TextEncoder();
  let rows: FileTransaction[] = [];
  let bytes = 0;
  for (const row of transactions) {
    const size = encoder.encode(`${JSON.stringify(withoutLine(row))},`).length;
    if (rows.length > 0 && (rows.length === MAX_ROWS || bytes + size > MAX_BYTES)) {
      yield rows;
      [rows, bytes] = [[], 0];
    }
    rows.push(row);
    bytes += size;
  }
  if (rows.length > 0) yield rows;
}

function withoutLine<T extends { line: number }>({ line: _line, ...body }: T): Omit<T, 'line'> {
  return body;
}
