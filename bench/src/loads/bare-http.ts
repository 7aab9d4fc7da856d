import { Pool } from 'undici';
import { runClosedLoop } from './closed-loop.ts';
import type { BareHttpLoad, LoadResult } from './load.ts';

/** Posts one body again and again over kept-alive connections, and nothing else. */
export async function runBareHttp(load: BareHttpLoad): Promise<LoadResult> {
  const { origin, pathname } = new URL(load.url);
  const pool = new Pool(origin, { connections: load.connections, pipelining: 1 });
  const body = Buffer.from(load.body);
  const request = { method: 'POST', path: pathname, headers: { 'content-type': 'application/json' }, body } as const;
  const result = await runClosedLoop({
    callers: load.connections,
    warmupMs: load.warmupMs,
    durationMs: load.durationMs,
    work: async () => {
      const response = await pool.request(request);
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`The receiver answered ${response.statusCode}.`);
    },
  });
  await pool.close();
  return result;
}
