// Risk: a stream of the dashboard is not told of an event, goes on from a place that is none, or reads all events to know.
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { waitForSettledFeed } from '../../../test/read-all.ts';
import { createCompany } from '../companies/create.ts';
import { cursorAt, cursorFrom, findFeedNews, isFeedCursor, readHorizon } from './feed-position.ts';
import { listEvents } from './read.ts';

const fixture = useFixture();

const newsOf = async (since: Record<string, string>) => {
  const positions = Object.entries(since).map(([accountId, at]) => ({ accountId, since: at }));
  return findFeedNews(fixture.core.database, positions);
};

test('C25: an account has news once its events are settled, and until its position is behind them', async () => {
  const { context } = fixture;
  const other = (await fixture.otherAccount()).context;
  // A write elsewhere on the server holds the horizon back: what either account began with must be behind it.
  await waitForSettledFeed(context);
  await waitForSettledFeed(other);
  const start = await readHorizon(fixture.core.database);
  expect((await newsOf({ [context.accountId]: start, [other.accountId]: start })).accountIds).toEqual([]);

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const older = fixture.core.database.transaction(async (tx) => {
    await tx.query('SELECT pg_current_xact_id()');
    begun.resolve();
    await held;
  });
  await begun.promise;
  await createCompany(other, { name: 'Waits for the older transaction' });
  expect((await newsOf({ [other.accountId]: start })).accountIds).toEqual([]);
  release();
  await older;
  await waitForSettledFeed(other);
  const found = await newsOf({ [context.accountId]: start, [other.accountId]: start, acc_unknown: '0' });
  expect(found.accountIds).toEqual([other.accountId]);
  expect((await newsOf({ [other.accountId]: found.horizon })).accountIds).toEqual([]);

  const page = await listEvents(other, { limit: 10, order: 'asc', after: cursorAt(start) });
  expect(page.data.map(({ data }) => data['name'])).toEqual(['Waits for the older transaction']);
  const rest = await listEvents(other, { limit: 10, order: 'asc', after: cursorAt(found.horizon) });
  expect([rest.data, rest.next_cursor]).toEqual([[], cursorAt(found.horizon)]);
});

test('C25: a reader goes on from every cursor that the feed gave, and from nothing else', async () => {
  const { context, core } = fixture;
  await waitForSettledFeed(context);
  const usable = (cursor: string) => isFeedCursor(core.database, cursor);
  const page = await listEvents(context, { limit: 1, order: 'asc' });
  expect(await usable(page.next_cursor ?? '')).toBe(true);
  expect(await usable(cursorAt(await readHorizon(core.database)))).toBe(true);
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const ahead = String(BigInt(await readHorizon(core.database)) + 1_000_000n);
  for (const cursor of [
    '',
    'x',
    '{}',
    forged('1'),
    forged(1, 'evt_1'),
    forged('-1', 'evt_'),
    forged('9'.repeat(20), 'evt_'),
    forged('1', ''),
    forged('1', 'evt_\u0000'),
    forged('1', 'txn_1'),
    forged(ahead, 'evt_'),
    `${page.next_cursor}\n`.repeat(3),
  ])
    expect(await usable(cursor), cursor).toBe(false);
});

test('C25: a reader moves up to a horizon and never back', () => {
  expect(cursorFrom(cursorAt('9'), '10')).toBe(cursorAt('10'));
  expect(cursorFrom(cursorAt('10'), '9')).toBe(cursorAt('10'));
});

test('however many accounts are looked at, each costs a probe of the index of the feed', async () => {
  const texts = new Set<string>();
  const query: typeof fixture.core.database.query = (sql, values) => {
    texts.add(sql);
    return fixture.core.database.query(sql, values);
  };
  await findFeedNews({ query }, [{ accountId: fixture.context.accountId, since: '0' }]);
  const [sql = ''] = texts;
  const plan = await fixture.core.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${sql}`);
  const lines = plan.map((row) => row['QUERY PLAN'].trim());
  const scans = lines.filter((line) => / on event_/.test(line));
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) expect(scan).toMatch(/^->\s+Index Scan using event_\w+_account_id_feed_xid_id_idx/);
  const conditions = lines.filter((line) => line.startsWith('Index Cond'));
  expect(conditions).toHaveLength(scans.length);
  for (const condition of conditions) expect(condition).toContain('account_id = w.account_id');
});
