// Risk: a replay or a sync stalls, restarts or repeats itself when its worker is killed.
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { receiptsOf } from './receipts.ts';
import { beginReplay, wholeReplay } from './replay-fixture.ts';
import { everyRow, page, rowsOfPage, syncsOf } from './sync-fixture.ts';
import { aloneTest } from './worker-test.ts';

const polling = { timeout: 60_000, interval: 25 };

describe.concurrent.each(queueBackends())('kill -9 over a run, the queue on %s', (name) => {
  const test = aloneTest(name);

  test('a replay goes on where it stopped, also after a flushed queue: nothing is missing, nothing handed over twice', async ({
    fixture,
    expect,
  }) => {
    const events = 600;
    await fixture.postMany(events);
    const replay_id = await beginReplay(fixture);
    const read = () => handlers.replays.get(fixture.context, { replay_id });
    const first = fixture.startProcess();
    await fixture.received(100);
    await first.kill();
    const { enqueued } = await read();
    expect(enqueued).toBeLessThan(events);
    await fixture.flushQueue();
    fixture.startProcess();
    await expect.poll(async () => (await read()).status, polling).toBe('completed');
    expect(await read()).toMatchObject(wholeReplay(events));
    const { unique, duplicates } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(events);
    // At most the deliveries in flight.
    expect(duplicates).toBeLessThanOrEqual(32);
    expect(await fixture.tally()).toMatchObject({ accepted: events, terminal: events, scheduled: 0 });
  });

  test('a sync that is over a page is left to another worker, which goes on there', async ({ fixture, expect }) => {
    const { connectHttp, begin, statusOf, stored } = syncsOf(fixture);
    fixture.receiver.script('/bank', page(0), { fault: 'hang' });
    const first = fixture.startProcess();
    const sync_id = await begin(await connectHttp());
    await fixture.receiver.waitFor((requests) => requests.some(({ path }) => path.includes('cursor=1')), {
      timeoutMs: 60_000,
    });
    await first.kill();
    expect(await stored()).toEqual(everyRow.slice(0, rowsOfPage));
    fixture.receiver.clear();
    fixture.receiver.script('/bank', page(1), page(2));
    // Ends the lease of one minute.
    await fixture.query("UPDATE sync_run SET lease_until = now() - interval '1 second' WHERE id = $1", [sync_id]);
    fixture.startProcess();
    await expect.poll(statusOf(sync_id), polling).toBe('succeeded');
    expect(await stored()).toEqual(everyRow);
    expect(fixture.receiver.requests.map(({ path }) => /cursor=(\d)/.exec(path)?.[1])).toEqual(['1', '2']);
    expect(await handlers.bank.syncs.get(fixture.context, { sync_id })).toMatchObject({
      stats: { transactions_inserted: everyRow.length, transactions_skipped: 0 },
    });
  });
});
