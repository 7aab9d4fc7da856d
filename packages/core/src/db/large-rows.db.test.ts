// Risk: a page of the largest possible rows exhausts the memory of the api or blocks other requests.
import { beforeAll, describe, expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { insertEvent } from '../../test/insert-event.ts';
import { readAll } from '../../test/read-all.ts';
import { listActivity } from '../modules/activity/list.ts';
import { listEvents } from '../modules/events/read.ts';
import { listRevisions, listSnapshots } from '../modules/financials/statements/read.ts';
import { upsertSnapshot } from '../modules/financials/statements/upsert.ts';
import { createEndpoint } from '../modules/webhooks/create.ts';
import { listEndpoints } from '../modules/webhooks/read.ts';

const MEGABYTE = 1024 * 1024;
const PAGE_BYTES = 4 * MEGABYTE;
const COUNT = 9;

interface Bounds {
  limit: number;
  order: 'asc' | 'desc';
  after?: string;
  before?: string;
}

interface AnyPage {
  data: object[];
  has_more: boolean;
  next_cursor: string | null;
}

const fixture = useFixture();
let company_id: string;
let snapshot_id: string;

// 1000 line items make a statement of 800 KB, 5000 values a filter of 1 MB.
const line_items = Array.from({ length: 1000 }, (_, i) => ({ key: `k${i}`, label: '€'.repeat(255), amount_cents: i }));
const value = Array.from({ length: 100 }, () => 'x'.repeat(200));
const condition = { op: 'in' as const, field: 'data.category', value };
const group = { op: 'any' as const, of: Array.from({ length: 17 }, () => condition) };
const filter = { op: 'any' as const, of: [group, group] };

beforeAll(async () => {
  company_id = fixture.companyId;
  for (let i = 1; i <= COUNT; i++) {
    const statement = { company_id, statement_type: 'income' as const, currency: 'USD', line_items };
    const period = { period_start: '2025-01-01', period_end: `2025-0${i}-28` };
    snapshot_id = (await upsertSnapshot(fixture.context, { ...statement, ...period, totals: { revenue: i } })).id;
    await createEndpoint(fixture.context, { url: 'http://127.0.0.1:9/hook', filter });
  }
  for (let i = 2; i <= COUNT; i++) {
    const statement = { company_id, statement_type: 'income' as const, currency: 'USD', line_items };
    const period = { period_start: '2025-01-01', period_end: `2025-0${COUNT}-28` };
    await upsertSnapshot(fixture.context, { ...statement, ...period, totals: { revenue: -i } });
  }
});

const lists: [string, (bounds: Bounds) => Promise<AnyPage>][] = [
  ['events', (bounds) => listEvents(fixture.context, { ...bounds, type: 'financial.snapshot.updated' })],
  ['snapshots', (bounds) => listSnapshots(fixture.context, { ...bounds, company_id })],
  ['revisions', (bounds) => listRevisions(fixture.context, { ...bounds, company_id, snapshot_id })],
  ['endpoints', (bounds) => listEndpoints(fixture.context, bounds)],
  ['activity', (bounds) => listActivity(fixture.context, { ...bounds, action: 'webhookEndpoints.create' })],
];

/** Reads all rows page by page and passes each page to `look`. */
const walk = (list: (bounds: Bounds) => Promise<AnyPage>, bounds: Bounds, look: (page: AnyPage) => void = () => {}) =>
  readAll(async (after) => {
    const page = await list({ ...bounds, ...(after ? { after } : {}) });
    look(page);
    return page.has_more ? page : { ...page, next_cursor: null };
  });

const bytesOf = (rows: readonly object[]): number => Buffer.byteLength(JSON.stringify(rows));

describe.each(lists)('%s', (_, list) => {
  test.each(['asc', 'desc'] as const)(
    '%s: a page of large rows ends early, and the next one goes on',
    async (order) => {
      const pages: number[] = [];
      const rows = await walk(list, { limit: 200, order }, ({ data }) => {
        pages.push(data.length);
        // The row that exceeds the size is the page's last.
        expect(bytesOf(data.slice(0, -1))).toBeLessThan(PAGE_BYTES * 1.02);
        expect(Object.keys(data[0] ?? {}).filter((name) => name.startsWith('page_'))).toEqual([]);
      });
      expect(rows.length).toBeGreaterThanOrEqual(COUNT);
      expect(pages.length).toBeGreaterThan(1);
      expect(Math.min(...pages)).toBeGreaterThan(0);
      expect(await walk(list, { limit: 1, order })).toEqual(rows);
    },
  );

  test('a page before a cursor has the rows next to it', async () => {
    const rows = await walk(list, { limit: 200, order: 'asc' });
    const last = await list({ limit: 1, order: 'desc' });
    const page = await list({ limit: 200, order: 'asc', before: last.next_cursor ?? '' });
    expect(page.has_more).toBe(true);
    expect(page.data).toEqual(rows.slice(-1 - page.data.length, -1));
    expect(page.data.length).toBeGreaterThan(1);
  });
});

test('a row larger than a page is a page of its own', async () => {
  const { context } = await fixture.otherAccount();
  for (let i = 0; i < 3; i++) {
    const body = JSON.stringify({ data: { name: i, text: 'x'.repeat(PAGE_BYTES + 1) } });
    await context.database.query(insertEvent, [
      context.newId('evt'),
      context.accountId,
      'company.created',
      context.clock.now().toISOString(),
      body,
    ]);
  }
  const sizes: number[] = [];
  const list = (bounds: Bounds): Promise<AnyPage> => listEvents(context, bounds);
  await walk(list, { limit: 200, order: 'desc' }, ({ data }) => sizes.push(data.length));
  expect(sizes.slice(0, 3)).toEqual([1, 1, 1]);
});
