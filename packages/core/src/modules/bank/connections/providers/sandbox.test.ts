// Risk: the sandbox returns another history each time, or one whose transactions do not explain its balances.
import { expect, test } from 'vitest';
import type { ProviderPage, PullRequest } from './provider.ts';
import { sandbox } from './sandbox.ts';

const request: PullRequest = {
  connectionId: 'conn_sandbox',
  token: 'any',
  url: null,
  currency: null,
  connectedOn: '2026-03-15',
  from: '2025-03-15',
  until: '2026-03-15',
  cursor: null,
  signal: new AbortController().signal,
};
const noFetch = { fetchJson: () => Promise.reject(new Error('The sandbox needs no network.')) };

async function pullAll(more: Partial<PullRequest> = {}) {
  const pages: ProviderPage[] = [];
  let cursor: string | null = null;
  do {
    const pulled = await sandbox.pull(noFetch, { ...request, ...more, cursor });
    if (!pulled.ok) throw new Error(pulled.message);
    pages.push(pulled.page);
    cursor = pulled.page.next;
  } while (cursor !== null);
  return {
    pages: pages.length,
    balances: pages.flatMap(({ balances }) => balances),
    transactions: pages.flatMap(({ transactions }) => transactions),
  };
}

test('twelve months have one page each, always the same, and different for another connection', async () => {
  const first = await pullAll();
  expect(first.pages).toBe(13);
  expect(first.transactions.length).toBeGreaterThan(150);
  expect(first.balances.length).toBeGreaterThan(52);
  expect(await pullAll()).toEqual(first);
  expect((await pullAll({ connectionId: 'conn_other' })).transactions).not.toEqual(first.transactions);
});

test('every day is within the requested window, and ids are unique', async () => {
  const { balances, transactions } = await pullAll();
  const days = [...balances.map(({ as_of }) => as_of), ...transactions.map(({ posted_at }) => posted_at.slice(0, 10))];
  expect(days.toSorted()[0]).toBe('2025-03-15');
  expect(days.toSorted().at(-1)).toBe('2026-03-14');
  expect(new Set(transactions.map(({ external_id }) => external_id)).size).toBe(transactions.length);
});

test('each balance is the one before plus what was posted in between', async () => {
  const { balances, transactions } = await pullAll();
  balances.forEach(({ as_of, balance_cents }, i) => {
    const before = balances[i - 1];
    if (!before) return;
    const between = transactions
      .filter(({ posted_at }) => posted_at.slice(0, 10) > before.as_of && posted_at.slice(0, 10) <= as_of)
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    expect(balance_cents - before.balance_cents, as_of).toBe(between);
  });
});

test('a later, shorter pull returns the same rows for its days as the backfill', async () => {
  const all = await pullAll();
  const later = await pullAll({ from: '2026-03-07', until: '2026-03-16' });
  const shared = later.transactions.filter(({ posted_at }) => posted_at < '2026-03-15');
  expect(shared.length).toBeGreaterThan(0);
  expect(all.transactions).toEqual(expect.arrayContaining(shared));
  expect(all.balances).toContainEqual(later.balances.find(({ as_of }) => as_of === '2026-03-08'));
  expect(later.balances.at(-1)?.as_of).toBe('2026-03-15');
});

test('rows are in the currency of the connection, else in dollars', async () => {
  const { transactions, balances } = await pullAll({ currency: 'EUR' });
  expect(new Set([...transactions, ...balances].map(({ currency }) => currency))).toEqual(new Set(['EUR']));
  expect((await pullAll()).balances[0]?.currency).toBe('USD');
});
