// Risk: a search text acts as a pattern, or a forged cursor reaches SQL or ends as an internal error.
import { expect, test } from 'vitest';
import { DomainError } from './domain-error.ts';
import { byId, encodeCursor, Filters, likePattern, readPage } from './keyset.ts';

test('S33: every wildcard and backslash of a search text is made plain', () => {
  expect(likePattern('50%_off\\')).toBe('%50\\%\\_off\\\\%');
  expect(likePattern('plain')).toBe('%plain%');
});

test('a condition may use its parameter several times, and absent values add none', () => {
  const filters = new Filters();
  filters.when(undefined, 'a = ?');
  filters.when(null, 'b = ?');
  filters.when('x', '(c = ? OR d = ?)');
  filters.when(0, 'e = ?');
  expect(filters.sql).toBe('(c = $1 OR d = $1) AND e = $2');
  expect(filters.values).toEqual(['x', 0]);
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

test.each(forged)('a forged cursor %j is refused before any SQL runs', async (after) => {
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
    page: { limit: 10, order: 'asc', after },
    toItem: (row) => row.id,
  });
  await expect(page).rejects.toSatisfy((error) => error instanceof DomainError && error.code === 'invalid_cursor');
  expect(queries).toEqual([]);
});
