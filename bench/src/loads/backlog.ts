import { setTimeout as delay } from 'node:timers/promises';
import { wallClock } from '../wall-clock.ts';
import { openConnection } from './http-connection.ts';
import type { AcceptedRequest, BacklogLoad, LoadResult } from './load.ts';
import { balancePost } from './traffic.ts';

const accepting = [200, 201];

/**
 * Repeats each client's post until it is accepted. A response other than that, or a 429 with a Retry-After of at least
 * a second, ends the run.
 */
export async function runBacklog(load: BacklogLoad): Promise<LoadResult> {
  const { target, companyIds, series, waiting, delayMs, perSecond, durationMs } = load;
  const headers = { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' };
  const open = () => openConnection(target.url, headers);
  const accepted: AcceptedRequest[] = [];
  let rejected = 0;

  const post = async (n: number, due: number, connected: ReturnType<typeof open>): Promise<void> => {
    const { companyId, ...balance } = balancePost(companyIds, series, n);
    const key = { 'idempotency-key': `backlog-${series}-${n}` };
    for (let connection = await connected; ; ) {
      if (!connection.isOpen()) connection = await open();
      const path = `/api/v1/companies/${companyId}/cash/balances`;
      const { status, body, retryAfter } = await connection.post(path, JSON.stringify(balance), key);
      if (accepting.includes(status)) {
        connection.close();
        return void accepted.push(['', due, wallClock()]);
      }
      if (status !== 429) throw new Error(`${path} returned ${status}: ${body.slice(0, 300)}`);
      if (retryAfter === undefined || !(retryAfter >= 1)) {
        throw new Error(`${path} returned ${status} with the Retry-After ${retryAfter}.`);
      }
      rejected++;
      await delay(retryAfter * 1000);
    }
  };

  const connections = await Promise.all(Array.from({ length: waiting }, open));
  await delay(delayMs);
  const startAt = wallClock();
  const clients = connections.map((connection, n) => post(n, startAt, Promise.resolve(connection)));
  for (let n = 0; n < (durationMs / 1000) * perSecond; n++) {
    const due = startAt + ((n + 1) * 1000) / perSecond;
    await delay(Math.max(0, due - wallClock()));
    clients.push(post(waiting + n, due, open()));
  }
  await Promise.all(clients);
  const seconds = (Math.max(...accepted.map(([, , at]) => at)) - startAt) / 1000;
  return { count: accepted.length, seconds, latencies: [], accepted, rejected };
}
