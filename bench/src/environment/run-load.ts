import type { Load, LoadResult } from '../loads/load.ts';
import { startHelper } from '../processes/channel.ts';

// What the load process answers.
function asResult(answer: unknown): LoadResult {
  return answer as LoadResult;
}

/** Runs one load in a process of its own, which is gone when this resolves. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const helper = startHelper(new URL('../processes/load.ts', import.meta.url));
  try {
    return asResult(await helper.ask(load));
  } finally {
    await helper.stop();
  }
}

/** What a load did per second of its measured time. */
export function perSecond({ count, seconds }: LoadResult): number {
  return count / seconds;
}
