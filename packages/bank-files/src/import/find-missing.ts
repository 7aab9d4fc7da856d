import { formatMoney } from '@finhook/contracts/currency';
import type { FileTransaction } from '../interpret.ts';
import type { ImportApi, StoredRow } from './api.ts';
import type { PlannedRequest } from './plan-requests.ts';

const DAY_MS = 86_400_000;
const MAX_PAGES = 50;

/** A stored row of an earlier import that is missing from this file although it covers the day. */
export interface MissingRow extends StoredRow {
  connection: string;
}

/** The rows of a file as sent; a repeated request counts once. */
export class FileRows {
  readonly #requests = new Map<number, PlannedRequest>();

  add(index: number, request: PlannedRequest): void {
    this.#requests.set(index, request);
  }

  #byConnection(): Map<string, FileTransaction[]> {
    const all = new Map<string, FileTransaction[]>();
    for (const request of this.#requests.values()) {
      if (request.kind === 'balance') continue;
      for (const row of request.rows) {
        if (row.connection_id === null) continue;
        const rows = all.get(row.connection_id);
        if (rows === undefined) all.set(row.connection_id, [row]);
        else rows.push(row);
      }
    }
    return all;
  }

  /** Stored rows of the file's days that the file lacks, because another mapping gave other days or amounts. */
  async findMissing(companyId: string, list: NonNullable<ImportApi['list']>): Promise<MissingRow[]> {
    const missing: MissingRow[] = [];
    for (const [connection, rows] of this.#byConnection()) {
      const times = rows.map(({ posted_at }) => Date.parse(posted_at));
      // Rows are posted at noon.
      const start = times.reduce((a, b) => Math.min(a, b), Infinity) - DAY_MS / 2;
      const end = times.reduce((a, b) => Math.max(a, b), -Infinity) + DAY_MS / 2;
      const keyOf = ({
        posted_at,
        amount_cents,
        currency,
      }: Pick<StoredRow, 'posted_at' | 'amount_cents' | 'currency'>) =>
        `${Math.floor((Date.parse(posted_at) - start) / DAY_MS)} ${amount_cents} ${currency}`;
      const free = new Map<string, number>();
      for (const row of rows) free.set(keyOf(row), (free.get(keyOf(row)) ?? 0) + 1);
      const sources = new Set(rows.map(({ source }) => source));
      const input = {
        company_id: companyId,
        connection_id: connection,
        posted_from: new Date(start).toISOString(),
        posted_to: new Date(end).toISOString(),
      };
      for await (const stored of readAll(list, input)) {
        const left = free.get(keyOf(stored)) ?? 0;
        free.set(keyOf(stored), left - 1);
        if (left < 1 && stored.source !== null && (stored.source.startsWith('file:') || sources.has(stored.source)))
          missing.push({ ...stored, connection });
      }
    }
    return missing;
  }
}

async function* readAll(
  list: NonNullable<ImportApi['list']>,
  input: Omit<Parameters<typeof list>[0], 'after' | 'limit'>,
): AsyncGenerator<StoredRow> {
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await list({ ...input, limit: 200, ...(after === undefined ? {} : { after }) });
    yield* page.data;
    if (!page.has_more || page.next_cursor === null) return;
    after = page.next_cursor;
  }
}

export function missingText({ id, posted_at, amount_cents, currency, description, connection }: MissingRow): string {
  const text = description ? ` ${JSON.stringify(description.slice(0, 60))}` : '';
  return (
    `the file has no row like ${id}, which an earlier import stored under ${connection}: ` +
    `${posted_at.slice(0, 10)}, ${formatMoney(amount_cents, currency)}${text}`
  );
}
