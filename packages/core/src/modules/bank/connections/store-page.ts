import { MAX_TRANSACTIONS, type SyncError } from '@finhook/contracts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { ingestTransactions } from '../transactions/ingest.ts';
import type { SyncClaim } from './claim-sync.ts';
import type { ProviderPage } from './providers/provider.ts';
import type { SyncProgress } from './sync-progress.ts';

const FINAL: ReadonlySet<string> = new Set(['company_dissolved', 'company_not_found', 'connection_disconnected']);

/** Known rows are skipped, so a page can be stored again. Returns an error that ends the run. */
export async function storePage(
  context: Context,
  claim: SyncClaim,
  page: ProviderPage,
  progress: SyncProgress,
  signal: AbortSignal,
): Promise<SyncError | undefined> {
  progress.reject(page.rejections);
  try {
    for (const balance of page.balances) {
      signal.throwIfAborted();
      await storeBalance(context, claim, balance, progress);
    }
    for (let start = 0; start < page.transactions.length; start += MAX_TRANSACTIONS) {
      signal.throwIfAborted();
      await storeChunk(context, claim, page.transactions.slice(start, start + MAX_TRANSACTIONS), progress);
    }
  } catch (error) {
    if (!(error instanceof DomainError) || !FINAL.has(error.code)) throw error;
    return { code: error.code, message: error.message };
  }
  return undefined;
}

async function storeBalance(
  context: Context,
  claim: SyncClaim,
  balance: ProviderPage['balances'][number],
  progress: SyncProgress,
): Promise<void> {
  const row = {
    ...balance,
    company_id: claim.company_id,
    connection_id: claim.connection_id,
    source: balance.source ?? claim.provider,
  };
  try {
    await progress.store(
      context,
      (bound) => upsertCashBalance(bound, row),
      (stats) => ({ ...stats, balances_upserted: stats.balances_upserted + 1 }),
    );
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error;
    progress.reject({ count: 1, first: `balance of ${balance.as_of}: ${error.message}` });
  }
}

async function storeChunk(
  context: Context,
  claim: SyncClaim,
  chunk: ProviderPage['transactions'],
  progress: SyncProgress,
): Promise<void> {
  const transactions = chunk.map((row) => ({
    ...row,
    connection_id: claim.connection_id,
    source: row.source ?? claim.provider,
  }));
  const { failed, errors } = await progress.store(
    context,
    (bound) => ingestTransactions(bound, { company_id: claim.company_id, on_error: 'skip', transactions }),
    (stats, { received, inserted, skipped }) => ({
      ...stats,
      transactions_received: stats.transactions_received + received,
      transactions_inserted: stats.transactions_inserted + inserted,
      transactions_skipped: stats.transactions_skipped + skipped,
    }),
  );
  const [firstError] = errors;
  const first = firstError ? `transaction ${chunk[firstError.index]?.external_id ?? ''}: ${firstError.message}.` : null;
  progress.reject({ count: failed, first });
}
