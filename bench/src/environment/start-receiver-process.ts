import { setTimeout as delay } from 'node:timers/promises';
import { startHelper } from '../processes/channel.ts';
import type { Receipt, ReceiverCommand, ReceiverReport } from '../processes/receiver-report.ts';

const pollMs = 25;

export interface ReceiverProcess {
  readonly url: string;
  /** Clears the counts. With `keepReceipts` it records the time of each delivery, for latencies. */
  reset: (options?: { readonly keepReceipts?: boolean }) => Promise<void>;
  report: () => Promise<ReceiverReport>;
  receipts: () => Promise<readonly Receipt[]>;
  /** Resolves once `count` distinct deliveries have arrived. Rejects after `withinMs`. */
  waitFor: (count: number, withinMs: number) => Promise<ReceiverReport>;
  stop: () => Promise<void>;
}

// The responses of the receiver process.
function asReport(response: unknown): ReceiverReport {
  return response as ReceiverReport;
}

function asReceipts(response: unknown): readonly Receipt[] {
  return response as readonly Receipt[];
}

export async function startReceiverProcess(): Promise<ReceiverProcess> {
  const helper = startHelper(new URL('../processes/receiver.ts', import.meta.url));
  const ask = (command: ReceiverCommand): Promise<unknown> => helper.ask(command);
  const port = await ask({ kind: 'port' });
  const report = async (): Promise<ReceiverReport> => asReport(await ask({ kind: 'report' }));
  return {
    url: `http://127.0.0.1:${String(port)}`,
    reset: async ({ keepReceipts = false } = {}) => void (await ask({ kind: 'reset', keepReceipts })),
    report,
    receipts: async () => asReceipts(await ask({ kind: 'receipts' })),
    waitFor: async (count, withinMs) => {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const current = await report();
        if (current.distinct >= count) return current;
        if (performance.now() > deadline) {
          throw new Error(`Only ${current.distinct} of ${count} deliveries arrived within ${withinMs / 1000} s.`);
        }
        await delay(pollMs);
      }
    },
    stop: helper.stop,
  };
}
