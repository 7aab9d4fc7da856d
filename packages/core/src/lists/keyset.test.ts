// Risk: a search text acts as a pattern, or a forged cursor reaches SQL or ends as an internal error.
import { expect, test } from 'vitest';
import { DomainError } from '../verbs/domain-error.ts';
import { byId, encodeCursor, Filters, likePattern, type PageInput, readPage } from './keyset.ts';

test('every wildcard and backslash of a search text is escaped', () => {
  expect(likePattern('50%_off\\')).toBe('%50\\%\\_off\\\\%');
  expect(likePattern('plain')).toBe('%plain%');
});

test('a condition may use its parameter several times, and absent values add none', () => {
  const filters = new Filters();
  filters.where(undefined, 'a = ?');
  filters.where(null, 'b = ?');
  filters.where('x', '(c = ? OR d = ?)');
  filters.where(0, 'e = ?');
  expect(filters.sql).toBe('(c = $1 OR d = $1) AND e = $2');
  expect(filters.values).toEqual(['x', 0]);
});

test('input fields are compared with their columns, and a text is searched in several columns', () => {
  const filters = new Filters();
  filters.whereEqual({ status: 'open', kind: undefined, other: 'x' }, ['status', 'kind'], 't.');
  filters.whereContains(undefined, ['a']);
  filters.whereContains('50%', ['title', 'body']);
  expect(filters.sql).toBe('t.status = $1 AND (title ILIKE $2 OR body ILIKE $2)');
  expect(filters.values).toEqual(['open', '%50\\%%']);
});

const forged = [
  '',
  'garbage',
  'bnVsbA',
  Buffer.from('["a"]').toString('base64url'),
  Buffer.from('[1,2]').toString('base64url'),
  encodeCursor(['2026-01-01', 'txn_1']),
  encodeCursor(['2026-01-01', 'ba']),
];

/** Reads a page with these cursors and the total count. Returns the SQL that ran, and the result. */
async function ask(cursors: Pick<PageInput, 'after' | 'before'>) {
  const queries: string[] = [];
  const page = readPage<{ id: string }, string>({
    query: async (sql) => {
      queries.push(sql);
      return [];
    },
    select: '*',
    from: 't',
    filters: new Filters(),
    sort: [{ sql: 'day', cast: 'date', read: () => '' }, byId('bal')],
    page: { limit: 10, order: 'asc', include: 'total_count', ...cursors },
    toItem: (row) => row.id,
  });
  const [outcome] = await Promise.allSettled([page]);
  return { queries, outcome };
}

test.each(forged)('a forged cursor %j is rejected before any SQL runs', async (after) => {
  const { queries, outcome } = await ask({ after });
  expect(outcome).toMatchObject({ reason: expect.any(DomainError) });
  expect(outcome).toMatchObject({ reason: { code: 'invalid_cursor' } });
  expect(queries).toEqual([]);
});

test('two cursors at once are rejected before the whole list is counted', async () => {
  const cursor = encodeCursor(['2026-01-01', 'bal_1']);
  expect((await ask({ after: cursor })).queries).toHaveLength(2);
  const { queries, outcome } = await ask({ after: cursor, before: cursor });
  expect(outcome).toMatchObject({ reason: { code: 'invalid_cursor' } });
  expect(queries).toEqual([]);
});
