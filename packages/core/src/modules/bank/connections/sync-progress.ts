import type { SyncStats } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { Context, Core } from '../../../verbs/context.ts';
import type { SyncClaim } from './claim-sync.ts';
import type { ProviderPage, Rejections } from './providers/provider.ts';

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const saveStats = statement(
  'save_sync_stats',
  `UPDATE sync_run SET stats = $3, updated_at = $4, lease_until = now() + $5::int * interval '1 millisecond'
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING id`,
);

const savePage = statement(
  'save_sync_page',
  `UPDATE sync_run SET cursor = $3, pages = pages + 1, refused = $4, first_refusal = $5, stats = $6, claims = 1, waited_ms = 0,
     updated_at = $7, lease_until = now() + $8::int * interval '1 millisecond',
     history_from = coalesce($9::date, history_from), first_day = least(first_day, $10::date)
   WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING id`,
);

/** Commits a run's stats with its rows, under its lease. */
export class SyncProgress {
  cursor: string | null;
  pages: number;
  rejected: number;
  firstRejection: string | null;
  stats: SyncStats;
  readonly #core: Core;
  readonly #claim: SyncClaim;
  readonly #leaseMs: number;

  constructor(core: Core, claim: SyncClaim, leaseMs: number) {
    this.#core = core;
    this.#claim = claim;
    this.#leaseMs = leaseMs;
    this.cursor = claim.cursor;
    this.pages = claim.pages;
    this.rejected = claim.refused;
    this.firstRejection = claim.first_refusal;
    this.stats = claim.stats;
  }

  /** Commits the stats in the verb's transaction, through the hook of the Idempotency-Key. Throws `LeaseLost`. */
  async store<T>(
    context: Context,
    verb: (context: Context) => Promise<T>,
    count: (stats: SyncStats, output: T) => SyncStats,
  ): Promise<T> {
    let next = this.stats;
    const output = await verb({
      ...context,
      idempotency: {
        completed: false,
        complete: async (db, result) => {
          next = count(this.stats, outputOf(verb, result));
          await this.#fenced(db, saveStats, [JSON.stringify(next), this.#now(), this.#leaseMs]);
        },
        reject: async () => undefined,
        release: async () => undefined,
      },
    });
    this.stats = next;
    return output;
  }

  reject({ count, first }: Readonly<Rejections>): void {
    this.rejected += count;
    this.firstRejection ??= first;
  }

  async finishPage(page: ProviderPage): Promise<void> {
    const { next, historyFrom } = page;
    const transactions_received = this.stats.transactions_received + page.rejectedTransactions;
    const stats = { ...this.stats, transactions_received };
    const history = [historyFrom, firstDayOf(page, this.#claim)];
    const values = [
      next,
      this.rejected,
      this.firstRejection,
      JSON.stringify(stats),
      this.#now(),
      this.#leaseMs,
      ...history,
    ];
    await this.#fenced(this.#core.database, savePage, values);
    this.stats = stats;
    this.cursor = next;
    this.pages += 1;
  }

  async #fenced(db: Queryable, sql: string, values: readonly unknown[]): Promise<void> {
    const held = await db.query(sql, [this.#claim.id, this.#claim.lease_token, ...values]);
    if (held.length === 0) throw new LeaseLost();
  }

  #now(): string {
    return this.#core.clock.now().toISOString();
  }
}

function firstDayOf({ transactions }: ProviderPage, { pull_from, pull_until }: SyncClaim): string | null {
  const days = transactions.map(({ posted_at }) => new Date(posted_at).toISOString().slice(0, 10));
  return days.reduce<string | null>(
    (first, day) => (day < pull_from || day > pull_until || (first !== null && first <= day) ? first : day),
    null,
  );
}

// The hook gets the value that the verb's own transaction returned.
function outputOf<T>(_verb: (context: Context) => Promise<T>, result: unknown): T {
  return result as T;
}
