import { listEvents } from '../src/modules/events/read.ts';
import type { Context } from '../src/verbs/context.ts';

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

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

export async function readFeed(context: Context, type?: Parameters<typeof listEvents>[1]['type']): Promise<Envelope[]> {
  const filter = type === undefined ? {} : { type };
  return readAll((after) =>
    listEvents(context, { limit: 200, order: 'asc', ...filter, ...(after === undefined ? {} : { after }) }),
  );
}
