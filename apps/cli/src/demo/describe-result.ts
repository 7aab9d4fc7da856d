import type { DemoResult } from './run-demo.ts';

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** True if every event, and one of each type, was received and verified, and nothing was rejected. */
export function isComplete({ received, events, missingTypes, rejected }: DemoResult): boolean {
  return received === events && missingTypes.length === 0 && rejected.length === 0;
}

/** The demo's result for a person. */
export function describeResult(result: DemoResult): string {
  const sorted = [...result.latenciesMs].sort((a, b) => a - b);
  const { stored } = result;
  const rate = Math.round((result.requests / result.ingestMs) * 1000);
  const lines = [
    '',
    `Stored      ${stored.transactions} transactions, ${stored.balances} balances, ${stored.snapshots} statement snapshots`,
    `Written in  ${(result.ingestMs / 1000).toFixed(2)} s (${rate} requests with an event per second)`,
    `Delivered   ${result.received} of ${result.events} events in ${result.deliveries} deliveries`,
    `Types       ${result.types - result.missingTypes.length} of ${result.types} event types`,
    `Verified    each by the standardwebhooks library and by the recipe of x-service-signature; rejected ${result.rejected.length}`,
    `Latency     event to receipt: p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms, max ${sorted.at(-1) ?? 0} ms`,
    `Dashboard   ${result.dashboardUrl}`,
    `Endpoint    ${result.endpointId} stays when its receiver ends here: delete it when you are done`,
  ];
  if (!isComplete(result))
    lines.push(
      '',
      `Not everything arrived. Missing types: ${result.missingTypes.join(', ') || 'none'}. ` +
        `First rejections: ${result.rejected.slice(0, 3).join('; ') || 'none'}`,
    );
  return lines.join('\n');
}
