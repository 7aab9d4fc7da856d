import { exitWithMessage } from './command.ts';
import { type DemoResult, runDemo } from './demo/run-demo.ts';
import { findOrStart, type Target } from './find-or-start.ts';
import { print } from './terminal.ts';

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

function isComplete({ received, events, missingTypes, rejected }: DemoResult): boolean {
  return received === events && missingTypes.length === 0 && rejected.length === 0;
}

function describeResult(result: DemoResult, target: Target): string {
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
    ...(target.stays
      ? [
          `Dashboard   ${result.dashboardUrl}`,
          'Endpoints   both stay, paused, because their receivers end here; Webhooks shows why one of them failed',
        ]
      : ['Data        ends here: start the service first, and the demo leaves a company in its dashboard']),
  ];
  if (!isComplete(result))
    lines.push(
      '',
      `Not everything arrived. Missing types: ${result.missingTypes.join(', ') || 'none'}. ` +
        `First rejections: ${result.rejected.slice(0, 3).join('; ') || 'none'}`,
    );
  return lines.join('\n');
}

// SIGINT and SIGTERM dispose `ending`; the same signal again exits at once.
const ending = new AsyncDisposableStack();
const stopping = new AbortController();
const { promise: stopped, resolve } = Promise.withResolvers<false>();
stopping.signal.addEventListener('abort', () => resolve(false));
process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());

async function demo(): Promise<boolean> {
  const target = await findOrStart(ending);
  if (stopping.signal.aborted) return false;
  const result = await runDemo(target, (line) => print(`  ${line}`), ending);
  print(describeResult(result, target));
  return isComplete(result);
}

try {
  process.exitCode = (await Promise.race([demo(), stopped])) ? 0 : 1;
} catch (error) {
  await ending.disposeAsync();
  exitWithMessage(error);
}
await ending.disposeAsync();
// Aborted requests may keep the process alive.
if (stopping.signal.aborted) process.exit();
