import { sha256 } from './external-ids.ts';
import type { BankFile } from './parse-bank-file.ts';
import type { FileBalance, FileTransaction } from './statement.ts';

/** Rows per request, as the service accepts them. */
const CHUNK = 500;

/** A request to an ingest endpoint. Balances come after the transactions that explain them. */
export type PlannedRequest = { idempotencyKey: string } & (
  | { kind: 'transactions'; rows: readonly FileTransaction[]; body: { transactions: Omit<FileTransaction, 'line'>[] } }
  | { kind: 'balance'; body: FileBalance }
);

/**
 * The requests that store a file. A key is made of the file's hash, the number of the request, and a hash of its body:
 * the same file repeats its keys, and read with another mapping it has others.
 */
export async function planRequests({ hash, accounts }: BankFile): Promise<PlannedRequest[]> {
  const requests: PlannedRequest[] = [];
  const keyOf = async (kind: string, body: object): Promise<string> => {
    const digest = await sha256(JSON.stringify(body));
    return `file-${hash.slice(0, 32)}-${kind}-${requests.length + 1}-${digest.slice(0, 16)}`;
  };
  for (const { transactions } of accounts) {
    for (let start = 0; start < transactions.length; start += CHUNK) {
      const rows = transactions.slice(start, start + CHUNK);
      const body = { transactions: rows.map(withoutLine) };
      requests.push({ kind: 'transactions', rows, body, idempotencyKey: await keyOf('transactions', body) });
    }
  }
  for (const body of accounts.flatMap(({ balances }) => balances)) {
    requests.push({ kind: 'balance', body, idempotencyKey: await keyOf('balance', body) });
  }
  return requests;
}

function withoutLine({ line: _line, ...row }: FileTransaction): Omit<FileTransaction, 'line'> {
  return row;
}
