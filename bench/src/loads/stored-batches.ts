import { handlers, openCore, systemContext } from '@finhook/core';
import { runClosedLoop } from './closed-loop.ts';
import type { LoadResult, StoredBatchesLoad } from './load.ts';
import { createBatches } from './traffic.ts';

/** Stores batches with the verb that the api calls, from values that are ready: without HTTP, JSON and checks. */
export async function runStoredBatches(load: StoredBatchesLoad): Promise<LoadResult> {
  const { databaseUrl, secretsKey, accountId, poolSize, callers, warmupMs, durationMs, traffic } = load;
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, poolSize });
  const context = systemContext(core, accountId, 'bench');
  const { first, requestOf } = createBatches(traffic, warmupMs + durationMs, (company_id, transactions) => ({
    company_id,
    transactions,
  }));
  const store = async (n: number): Promise<void> =>
    void (await handlers.bank.transactions.ingest(context, requestOf(n)));
  for (let n = 0; n < first; n++) await store(n);
  const result = await runClosedLoop({ callers, warmupMs, durationMs, work: store });
  await core.database.close();
  return result;
}
