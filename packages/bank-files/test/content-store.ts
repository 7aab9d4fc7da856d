import type { IngestInput, SentBalance, SentTransaction } from '../src/import/api.ts';
import type { BalanceReply, ImportApi, ImportFault, IngestReply } from '../src/index.ts';

export class ServiceError extends Error {
  readonly fault: ImportFault;

  constructor(fault: Partial<ImportFault>) {
    super(fault.message ?? 'failed');
    this.fault = { message: this.message, isTemporary: false, ...fault };
  }
}

const groupOf = (row: SentTransaction): string =>
  [row.connection_id, row.posted_at, row.amount_cents, row.currency].join(' ');

/** The part of the service that an import sees: it knows rows by day, amount and currency, as multisets. */
export class MemoryService implements ImportApi {
  readonly rows: Array<SentTransaction & { id: string }> = [];
  readonly balances = new Map<string, SentBalance>();
  /** Calls that stored something, or would. */
  readonly calls: Array<{ rows: number; isDryRun: boolean; key: string | undefined }> = [];
  /** Called before each call; what it throws is the call's error. */
  onCall: () => void = () => undefined;
  readonly #replies = new Map<string, IngestReply>();

  explain = (error: unknown): ImportFault =>
    error instanceof ServiceError ? error.fault : { message: String(error), isTemporary: false };

  ingest = async ({ transactions, match, dry_run }: IngestInput, key?: string): Promise<IngestReply> => {
    this.onCall();
    const stored = key === undefined ? undefined : this.#replies.get(key);
    if (stored) return stored;
    this.calls.push({ rows: transactions.length, isDryRun: dry_run === true, key });
    const free = [...this.rows];
    const take = (fits: (row: (typeof free)[number]) => boolean) => {
      const at = free.findIndex(fits);
      return at === -1 ? undefined : free.splice(at, 1)[0];
    };
    const skipped = new Map<number, IngestReply['skipped_transactions'][number]>();
    const skip = (by: string, fits: (sent: SentTransaction, row: SentTransaction) => boolean): void => {
      for (const [index, sent] of transactions.entries()) {
        const found = skipped.has(index) ? undefined : take((row) => fits(sent, row));
        if (found) skipped.set(index, { index, reason: 'known', existing_id: found.id, differs: [], matched_by: by });
      }
    };
    const isAlike = (sent: SentTransaction, row: SentTransaction): boolean => groupOf(sent) === groupOf(row);
    const hasReference = (sent: SentTransaction, row: SentTransaction): boolean =>
      sent.external_id !== undefined && sent.external_id === row.external_id;
    if (match === 'id') skip('id', (sent, row) => hasReference(sent, row) && sent.connection_id === row.connection_id);
    else {
      skip('reference', (sent, row) => isAlike(sent, row) && hasReference(sent, row));
      skip('text', (sent, row) => isAlike(sent, row) && sent.description === row.description);
      skip('amount', isAlike);
    }
    const warnings = transactions.flatMap((row, i) => {
      const currency = this.currencyOf(row.connection_id);
      const pointer = `/transactions/${i}/currency`;
      return currency === undefined || currency === row.currency
        ? []
        : [{ code: 'currency_changed', pointer, message: 'Another currency.', stored_currency: currency }];
    });
    const isTooOld = (row: SentTransaction): boolean => row.posted_at < '1970' || row.posted_at > '2027-12';
    const errors = transactions.flatMap((row, index) =>
      isTooOld(row) ? [{ index, pointer: `/transactions/${index}/posted_at`, message: 'is too early' }] : [],
    );
    const added = transactions.filter((row, i) => !skipped.has(i) && !isTooOld(row));
    if (dry_run !== true) for (const row of added) this.rows.push({ ...row, id: `txn_${this.rows.length + 1}` });
    const reply = {
      inserted: added.length,
      failed: errors.length,
      skipped_transactions: [...skipped.values()],
      errors,
      warnings: warnings.slice(0, 1),
    };
    if (key !== undefined) this.#replies.set(key, reply);
    return reply;
  };

  list: NonNullable<ImportApi['list']> = async ({ connection_id, posted_from, posted_to, after = '0' }) => {
    const rows = this.rows.filter(
      (row) => row.connection_id === connection_id && row.posted_at >= posted_from && row.posted_at < posted_to,
    );
    // Pages of two.
    const next = Number(after) + 2;
    const has_more = next < rows.length;
    return { data: rows.slice(next - 2, next), has_more, next_cursor: has_more ? String(next) : null };
  };

  upsert = async (
    { company_id: _company, dry_run, ...balance }: SentBalance & { company_id: string; dry_run?: boolean },
    _key?: string,
  ): Promise<BalanceReply> => {
    this.onCall();
    if (balance.as_of < '1970' || balance.as_of > '2100')
      throw new ServiceError({ rejected: 'as_of must lie before 2100' });
    const at = `${balance.connection_id} ${balance.as_of}`;
    const before = this.balances.get(at);
    if (dry_run !== true) this.balances.set(at, balance);
    const isSame = before?.balance_cents === balance.balance_cents && before.currency === balance.currency;
    return { result: before === undefined ? 'created' : isSame ? 'unchanged' : 'updated', warnings: [] };
  };

  currencyOf(connection: string | null): string | undefined {
    return this.rows.findLast((row) => row.connection_id === connection)?.currency;
  }
}
