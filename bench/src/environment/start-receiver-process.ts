import { setTimeout as delay } from 'node:timers/promises';
import { startHelper } from '../processes/channel.ts';
import type { ReceiverCommand, ReceiverReport } from '../processes/receiver-report.ts';

const pollMs = 25;

/** The receiver of all webhooks, in a process of its own. */
export interface ReceiverProcess {
  readonly url: string;
  /** Forgets what came so far. With `keepReceipts` each delivery's time is kept, for latencies. */
  reset: (options?: { readonly keepReceipts?: boolean }) => Promise<void>;
  report: () => Promise<ReceiverReport>;
  /** Resolves once `count` different deliveries have arrived. Rejects when that takes longer than `withinMs`. */
  waitFor: (count: number, withinMs: number) => Promise<ReceiverReport>;
  stop: () => Promise<void>;
}

// What the receiver process answers to these commands.
function asReport(answer: unknown): ReceiverReport {
  return answer as ReceiverReport;
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
