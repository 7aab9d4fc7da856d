import { openConnection } from './http-connection.ts';
import type { LoadResult, ReadsLoad } from './load.ts';

/** Requests each path once over one kept-alive connection, one at a time. */
export async function runReads({ url, apiKey, paths }: ReadsLoad): Promise<LoadResult> {
  const connection = await openConnection(url, { authorization: `Bearer ${apiKey}` });
  const latencies: number[] = [];
  const startedAt = performance.now();
  for (const path of paths) {
    const askedAt = performance.now();
    const { status, body } = await connection.get(path);
    latencies.push(performance.now() - askedAt);
    if (status !== 200) throw new Error(`The api returned ${status} to ${path}: ${body.slice(0, 500)}`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  connection.close();
  return { count: paths.length, seconds, latencies, accepted: [] };
}
