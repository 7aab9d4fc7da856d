import type { IngestInput, SentBalance, SentTransaction } from '../src/import/api.ts';
import type { BalanceReply, ImportApi, ImportFault, IngestReply } from '../src/index.ts';

export class ServiceError extends Error {
  readonly fault: ImportFault;

  constructor(fault: Partial<ImportFault>) {
    super(fault.message ?? 'failed');
    this.fault = { message: this.message, isTemporary: false, ...fault };
  }
}

type Stored = SentTransaction & { id: string };

const groupOf = (row: SentTransaction): string =>
  [row.connection_id, row.posted_at.slice(0, 10), row.amount_cents, row.currency].join(' ');

const wordsOf = ({ description, counterparty = '' }: SentTransaction): string =>
  [...new Set(`${description} ${counterparty}`.toLowerCase().match(/[\p{L}\p{N}]+/gu))].sort().join(' ');

/** Generated ids are no references, and a suffix of a reference is not part of it. */
function referencesOf({ id, external_id = id }: Stored): string[] {
  if (external_id === id || /^row-[0-9a-f]{32}-\d+$/.test(external_id)) return [];
  return [external_id, external_id.replace(/-[0-9a-f]{16}$/, '')];
}

function totalsOf(rows: readonly SentTransaction[]): NonNullable<IngestReply['totals']> {
  return Array.from(
    Map.groupBy(rows, ({ currency }) => currency),
    ([currency, each]) => {
      const sum = (sign: number): number =>
        each.reduce((total, { amount_cents }) => total + Math.max(0, sign * amount_cents), 0);
      return { currency, in_cents: sum(1), out_cents: sum(-1) };
    },
  );
}

/** The service as an import sees it: it knows rows by day, amount and currency, as multisets. */
export class MemoryService implements ImportApi {
  readonly rows: Stored[] = [];
  readonly balances = new Map<string, SentBalance>();
  /** Calls that stored something, or would have. */
  readonly calls: Array<{ rows: number; isDryRun: boolean; key: string | undefined }> = [];
  /** Called before each call; may throw the call's error. */
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
    const skipped = new Map<number, IngestReply['skipped_transactions'][number]>();
    const skip = (by: string | undefined, fits: (sent: SentTransaction, row: Stored) => boolean): void => {
      for (const [index, sent] of transactions.entries()) {
        const at = skipped.has(index) ? -1 : free.findIndex((row) => fits(sent, row));
        const [found] = at === -1 ? [] : free.splice(at, 1);
        if (found === undefined) continue;
        const differs = (['description', 'category', 'counterparty', 'source'] as const).filter(
          (field) => sent[field] !== found[field],
        );
        const reason = by === undefined ? 'duplicate' : 'known';
        skipped.set(index, { index, reason, existing_id: found.id, differs, matched_by: by });
      }
    };
    const hasReference = ({ external_id = '' }: SentTransaction, row: Stored): boolean =>
      referencesOf(row).includes(external_id);
    const hasText = (sent: SentTransaction, row: Stored): boolean => wordsOf(sent) === wordsOf(row);
    if (match === 'id') {
      skip(undefined, (sent, row) => sent.external_id === row.external_id && sent.connection_id === row.connection_id);
    } else {
      const ways: [string, typeof hasText][] = [
        ['reference', (sent, row) => hasReference(sent, row) && hasText(sent, row)],
        ['reference', hasReference],
        ['text', hasText],
        ['amount', () => true],
      ];
      for (const [by, fits] of ways) skip(by, (sent, row) => groupOf(sent) === groupOf(row) && fits(sent, row));
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
    if (dry_run !== true) for (const row of added) this.#store(row);
    const reply = {
      inserted: added.length,
      failed: errors.length,
      skipped_transactions: [...skipped.values()],
      errors,
      warnings: warnings.slice(0, 1),
      ...(dry_run === true ? { totals: totalsOf(added) } : {}),
    };
    if (key !== undefined) this.#replies.set(key, reply);
    return reply;
  };

  /** A row without a reference gets an id; a used reference gets a suffix. */
  #store(row: SentTransaction): void {
    const number = this.rows.length + 1;
    const id = `txn_${number}`;
    const isTaken = this.rows.some(
      (one) => one.external_id === row.external_id && one.connection_id === row.connection_id,
    );
    const suffix = isTaken ? `-${number.toString(16).padStart(16, '0')}` : '';
    this.rows.push({ ...row, id, external_id: row.external_id === undefined ? id : `${row.external_id}${suffix}` });
  }

  list: NonNullable<ImportApi['list']> = async ({ connection_id, posted_from, posted_to, after = '0' }) => {
    const rows = this.rows.filter(
      (row) => row.connection_id === connection_id && row.posted_at >= posted_from && row.posted_at < posted_to,
    );
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
      throw new ServiceError({ status: 422, reason: 'as_of must lie before 2100' });
    const at = `${balance.connection_id} ${balance.as_of}`;
    const before = this.balances.get(at);
    if (dry_run !== true) this.balances.set(at, balance);
    const isSame =
      before?.balance_cents === balance.balance_cents &&
      before.currency === balance.currency &&
      before.account_type === balance.account_type;
    const result = before === undefined ? 'created' : isSame ? 'unchanged' : 'updated';
    return { result, previous_balance_cents: before?.balance_cents, warnings: [] };
  };

  currencyOf(connection: string | null): string | undefined {
    return this.rows.findLast((row) => row.connection_id === connection)?.currency;
  }
}
