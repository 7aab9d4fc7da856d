// Risk: the title of a list names other rows than the list has.
import { expect, test } from 'vitest';
import { joinValues } from '../../lib/several.ts';
import { listTitle } from './list-title.view.ts';

const titleOf = (search: Parameters<typeof listTitle>[0]) =>
  listTitle(search, { today: '2026-11-28', accountName: (id) => (id === 'none' ? 'Unassigned' : `Account ${id}`) });

test.each([
  [{}, 'All transactions'],
  [{ sort: 'amount_cents', order: 'asc' }, 'All transactions'],
  [
    { month: '2026-10', direction: 'out', counts: 'true', currency: 'usd' },
    'October 2026 · money out · counted in the figures · USD',
  ],
  [{ month: '2026-08', month_to: '2026-10', counts: 'false' }, 'August to October 2026 · not counted in the figures'],
  [{ month: '2026-10', month_to: '2026-10', counted_as: 'transfer' }, 'October 2026 · counted as transfer'],
  [{ month: '2025-12', month_to: '2026-02' }, 'December 2025 to February 2026'],
  [
    { month: '2026-10', category_key: 'cloud_hosting', counterparty_key: 'NONE' },
    'October 2026 · Cloud hosting · without a vendor',
  ],
  [{ category_key: 'NONE', counterparty: 'Anthropic' }, 'Without a category · Anthropic'],
  [{ direction: 'in' }, 'Money in'],
  [{ q: 'rent', source: 'api', external_id: 't1' }, '“rent” · source api · external ID t1'],
  [
    { posted_from: '2026-07-01', posted_to: '2026-09-30', min: '-5', max: '12.50' },
    'Last quarter · at least -5 · at most 12.50',
  ],
  [{ posted_from: '2026-11-03' }, 'From 3 Nov 2026'],
  [{ posted_to: '2026-11-03' }, 'Up to 3 Nov 2026'],
  [{ posted_from: '2026-11-03', posted_to: '2026-11-03' }, '3 Nov 2026'],
  [{ posted_from: '2026-11-03', posted_to: '2026-11-05' }, '3 Nov 2026 to 5 Nov 2026'],
  // Without a month neither filter selects.
  [{ month_to: '2026-10', counts: 'true', counted_as: 'transfer' }, 'All transactions'],
  [{ category: 'travel', connection_id: 'a' }, 'Travel · Account a'],
  [
    { category: joinValues(['travel', 'meals']), connection_id: joinValues(['a', 'none']) },
    '2 categories · 2 accounts',
  ],
  [{ connection_id: 'none' }, 'Unassigned'],
])('%j is “%s”', (search, title) => expect(titleOf(search)).toBe(title));
