import { vi } from 'vitest';
import type { Queryable } from '../src/db/queryable.ts';
import type { Context } from '../src/kernel/context.ts';
import { listEvents } from '../src/modules/events/read.ts';

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Every item of a list, page by page. */
export async function readAll<Item>(read: (after: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read(after);
    items.push(...page.data);
    if (page.next_cursor === null || page.data.length === 0) return items;
    after = page.next_cursor;
  }
}

export type Envelope = Awaited<ReturnType<typeof listEvents>>['data'][number];

/**
 * The account's whole feed. Transactions of other test files, on the same server, hold back new events for a moment;
 * this waits until none is held back.
 */
export async function readFeed(context: Context, type?: Parameters<typeof listEvents>[1]['type']): Promise<Envelope[]> {
  await waitForSettledFeed(context);
  const filter = type === undefined ? {} : { type };
  return readAll((after) =>
    listEvents(context, { limit: 200, order: 'asc', ...filter, ...(after === undefined ? {} : { after }) }),
  );
}

/** Resolves once every event that is committed now can be read in the feed. */
export async function waitForSettledFeed(context: Context): Promise<void> {
  await waitForSettled(context.database, 'SELECT max(feed_xid) AS last FROM event');
}

/** Resolves once no transaction is open that is as old as the `last` that a query finds, or older. */
export async function waitForSettled(database: Queryable, newest: string): Promise<void> {
  const [row] = await database.query<{ last: string | null }>(newest);
  const last = row?.last ?? '0';
  await vi.waitFor(
    async () => {
      const [xmin] = await database.query<{ settled: boolean }>(
        'SELECT $1::xid8 < pg_snapshot_xmin(pg_current_snapshot()) AS settled',
        [last],
      );
      if (xmin?.settled !== true) throw new Error(`Transaction ${last} is not settled.`);
    },
    { timeout: 20_000, interval: 5 },
  );
}
