import { withSuffix } from '@finhook/contracts/transaction-content';
import type { FileTransaction } from '../interpret.ts';
import { sha256 } from '../values.ts';

/** A row to store although the service knows one of its day and amount. */
export interface KeptRow {
  row: FileTransaction;
  /** Ids of the stored rows matched with the request's rows of this day and amount. */
  paired: readonly string[];
}

/** Stable if the request is repeated, but different for an equal row that is kept later. */
export async function keptIds(kept: readonly KeptRow[]): Promise<string[]> {
  const contents = kept.map(({ row, paired }) => JSON.stringify([contentOf(row), paired.toSorted()]));
  const seen = new Map<string, number>();
  return Promise.all(
    contents.map(async (content, i) => {
      const number = (seen.get(content) ?? 0) + 1;
      seen.set(content, number);
      const hash = await sha256(`${content} ${number}`);
      const reference = kept[i]?.row.external_id ?? '';
      return reference === '' ? `row-${hash.slice(0, 32)}-${number}` : withSuffix(reference, hash.slice(0, 16));
    }),
  );
}

function contentOf({ posted_at, amount_cents, currency, description, counterparty, external_id }: FileTransaction) {
  return [posted_at, amount_cents, currency, description, counterparty ?? '', external_id ?? ''];
}
