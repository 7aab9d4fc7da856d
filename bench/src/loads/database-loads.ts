import { type ClaimedDelivery, claimDeliveries, handlers, openCore, releaseClaims, systemContext } from '@finhook/core';
import type { ClaimsLoad, LoadResult, StoredBatchesLoad } from './load.ts';
import { runClosedLoop } from './loops.ts';
import { createBatches } from './traffic.ts';

/** Longer than a round, so that nothing is claimed twice. */
const leaseMs = 3_600_000;

/** Claims like the worker, with its connection settings, and releases everything at the end. */
export async function runClaims(load: ClaimsLoad): Promise<LoadResult> {
  const { databaseUrl, secretsKey, accountId, endpointIds, claims, rowsPerClaim } = load;
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, poolSize: 2 });
  const latencies: number[] = [];
  const held: ClaimedDelivery[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < claims; i++) {
    const endpointId = endpointIds[i % endpointIds.length] ?? '';
    const claimedAt = performance.now();
    const [found] = await claimDeliveries(core, [{ accountId, endpointId, limit: rowsPerClaim }], leaseMs);
    const claimed = found?.claims ?? [];
    latencies.push(performance.now() - claimedAt);
    held.push(...claimed);
    if (claimed.length !== rowsPerClaim) throw new Error(`A claim got ${claimed.length} of ${rowsPerClaim} rows.`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await releaseClaims(core, held);
  await core.database.close();
  return { count: claims, seconds, latencies, accepted: [] };
}

/** Stores batches with the api's verb, without HTTP, JSON and validation. */
export async function runStoredBatches(load: StoredBatchesLoad): Promise<LoadResult> {
  const { databaseUrl, secretsKey, accountId, poolSize, callers, warmupMs, durationMs, traffic } = load;
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, poolSize });
  const context = systemContext(core, accountId, 'bench');
  const { first, requestOf } = createBatches(traffic, warmupMs + durationMs, (company_id, transactions) => ({
    company_id,
    transactions,
  }));
  const store = async (n: number): Promise<undefined> =>
    void (await handlers.bank.transactions.ingest(context, requestOf(n)));
  for (let n = 0; n < first; n++) await store(n);
  const result = await runClosedLoop({ callers, warmupMs, durationMs, work: store });
  await core.database.close();
  return result;
}
