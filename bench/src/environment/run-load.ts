import type { Load, LoadResult } from '../loads/load.ts';
import { startHelper } from '../processes/channel.ts';

// The response of the load process.
function asResult(response: unknown): LoadResult {
  return response as LoadResult;
}

/** Runs one load in its own process, which has exited when this resolves. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const helper = startHelper(new URL('../processes/load.ts', import.meta.url));
  try {
    return asResult(await helper.ask(load));
  } finally {
    await helper.stop();
  }
}

export function perSecond({ count, seconds }: LoadResult): number {
  return count / seconds;
}
