// Risk: a stream of the dashboard misses an event, or continues from an invalid cursor.
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { openRawClient } from '../../../test/raw-client.ts';
import { encodeCursor } from '../../lists/keyset.ts';
import { createCompany } from '../companies/create.ts';
import { currentCursor, cursorAt, cursorFrom, findFeedNews, isFeedCursor, readPosition } from './feed-position.ts';
import { listEvents } from './read.ts';

const fixture = useFixture();
const { core } = fixture;

const positionOf = (accountId: string) => readPosition(core.database.forAccount(accountId), accountId);

test('an account has news once an event of it is committed, until its position is at it', async () => {
  const mine = fixture.context.accountId;
  const { context: other } = await fixture.otherAccount();
  const start = {
    [mine]: await positionOf(mine),
    [other.accountId]: await positionOf(other.accountId),
    acc_unknown: '0',
  };
  const newsOf = (read: Record<string, string>) =>
    findFeedNews(
      core.database,
      Object.entries(read).map(([accountId, position]) => ({ accountId, position })),
    );
  expect(await newsOf(start)).toEqual([]);
  const raw = await openRawClient(fixture.database.url);
  // Open transactions of others don't delay it.
  await raw.query('BEGIN; SELECT pg_current_xact_id()');
  await createCompany(other, { name: 'First' });
  const found = await newsOf(start);
  const position = String(Number(start[other.accountId]) + 1);
  expect(found).toEqual([{ accountId: other.accountId, position }]);
  expect(await newsOf({ [other.accountId]: position })).toEqual([]);
  await raw.query('ROLLBACK');
  await raw.end();

  const after = cursorAt(start[other.accountId] ?? '');
  const page = await listEvents(other, { limit: 10, order: 'asc', after });
  expect(page.data.map(({ data }) => data['name'])).toEqual(['First']);
  const rest = await listEvents(other, { limit: 10, order: 'asc', after: cursorAt(position) });
  expect([rest.data, rest.next_cursor]).toEqual([[], cursorAt(position)]);
});

test('a reader continues from every cursor of the feed, and from no other', async () => {
  const { context } = fixture;
  const usable = (cursor: string) => isFeedCursor(context.database, context.accountId, cursor);
  const page = await listEvents(context, { limit: 1, order: 'asc' });
  expect(await usable(page.next_cursor ?? '')).toBe(true);
  const position = await positionOf(context.accountId);
  expect(await usable(cursorAt(position))).toBe(true);
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const cursor of [
    '',
    'x',
    '{}',
    forged(1),
    forged('-1'),
    forged('1', '1'),
    forged('9'.repeat(20)),
    forged(String(BigInt(position) + 1n)),
    `${page.next_cursor}\n`.repeat(3),
  ])
    expect(await usable(cursor), cursor).toBe(false);
});

test('a reader moves up to a position and never back', () => {
  expect(cursorFrom(cursorAt('9'), '10')).toBe(cursorAt('10'));
  expect(cursorFrom(cursorAt('10'), '9')).toBe(cursorAt('10'));
});

test('a current cursor and an invalid one stay unchanged', async () => {
  const { database, accountId } = fixture.context;
  for (const cursor of [cursorAt('1'), 'x', encodeCursor(['9'.repeat(20), 'evt_']), encodeCursor(['1', 'evt_ '])]) {
    expect(await currentCursor(database, accountId, cursor)).toBe(cursor);
  }
});
