// Risk: a provider's malformed response is stored, stops a sync without a reason, or is quoted to a customer.
import type { FetchJson, FetchResult } from '@finhook/delivery';
import { expect, test } from 'vitest';
import { http } from './http.ts';

const request = {
  connectionId: 'conn_1',
  token: 'token-1',
  url: 'https://bank.example.com/pages',
  currency: 'EUR',
  connectedOn: '2026-03-01',
  from: '2026-02-01',
  until: '2026-03-01',
  cursor: null,
  signal: new AbortController().signal,
};
const pull = (result: FetchResult, more: object = {}) =>
  http.pull({ fetchJson: async () => result }, { ...request, ...more });
const page = (value: unknown, more: object = {}) => pull({ ok: true, text: JSON.stringify(value) }, more);

test('a page is requested with its window, its cursor and the token', async () => {
  const asked: unknown[] = [];
  const fetchJson: FetchJson = async ({ url, token }) => {
    asked.push([url, token]);
    return { ok: true, text: '{}' };
  };
  await http.pull({ fetchJson }, request);
  await http.pull({ fetchJson }, { ...request, cursor: 'a&b=c' });
  expect(asked).toEqual([
    ['https://bank.example.com/pages?from=2026-02-01&until=2026-03-01', 'token-1'],
    ['https://bank.example.com/pages?from=2026-02-01&until=2026-03-01&cursor=a%26b%3Dc', 'token-1'],
  ]);
});

test('valid rows are kept, the others are rejected one by one', async () => {
  const balance = { as_of: '2026-02-28', balance_cents: 5 };
  const transaction = { external_id: 'a', posted_at: '2026-02-28T10:00:00Z', amount_cents: -1, category: '' };
  const pulled = await page({
    balances: [balance, { ...balance, balance_cents: 1.5 }, 'no'],
    transactions: [transaction, { ...transaction, posted_at: '2026-02-28' }, null],
    next_cursor: 'n2',
  });
  expect(pulled).toMatchObject({
    ok: true,
    page: { balances: [{ ...balance, currency: 'EUR' }], transactions: [transaction], next: 'n2' },
  });
  const first = '/balances/1/balance_cents must be a whole number of minor units.';
  expect(pulled.ok && pulled.page.rejections).toEqual({ count: 4, first });
});

test.each([
  [{ balances: ['no'] }, '/balances/0 must be of type object.'],
  [
    { transactions: [{ external_id: 'a', posted_at: '2026-02-28', amount_cents: -1 }] },
    '/transactions/0/posted_at must have a time zone, like 2026-03-01T09:30:00Z.',
  ],
  [{ transactions: [null] }, '/transactions/0 is required.'],
])('a row is rejected with its place and its error: %j', async (value, first) => {
  expect(await page(value)).toMatchObject({ ok: true, page: { rejections: { count: 1, first } } });
});

test('a page with too many rows is rejected before any row is read', async () => {
  const rows = (length: number): unknown[] => Array.from({ length }, () => ({}));
  const message = 'The answer has 5001 rows: send at most 5000 in a page.';
  const rejected = { ok: false, code: 'provider_answer_invalid', message };
  expect(await page({ transactions: rows(5_001) })).toEqual(rejected);
  expect(await page({ balances: rows(2_500), transactions: rows(2_501) })).toEqual(rejected);
  const most = await page({ balances: rows(2_500), transactions: rows(2_500) });
  expect(most).toMatchObject({ ok: true, page: { rejections: { count: 5_000 } } });
});

test.each([
  ['rows', JSON.stringify({ transactions: Array.from({ length: 5_000 }, () => ({})) })],
  ['long numbers', `{"x":[${Array(20_000).fill('1.0000000000000000').join()}]}`],
])(
  'others get their turn while the %s of a page are read, and one that is given up is read no further',
  async (_, text) => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 0);
    await pull({ ok: true, text });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
    const abort = new AbortController();
    const given = pull({ ok: true, text }, { signal: abort.signal });
    abort.abort();
    await expect(given).rejects.toThrow(/abort/i);
  },
);

test('a balance without a currency gets that of the connection', async () => {
  const balances = [{ as_of: '2026-02-28', balance_cents: 5 }];
  const pulled = await page({ balances }, { currency: null });
  expect(pulled).toMatchObject({
    ok: true,
    page: { balances: [], rejections: { count: 1, first: expect.stringMatching(/currency/) } },
  });
});

test.each([
  [[]],
  ['text'],
  [null],
  [{ balances: {} }],
  [{ transactions: 'x' }],
  [{ next_cursor: 7 }],
  [{ history_from: '2026-02-30' }],
  [{ next_cursor: 'a\0b' }],
])('%j is no page', async (value) => {
  expect(await page(value)).toMatchObject({ ok: false, code: 'provider_answer_invalid' });
});

test('a number that a double would round is rejected, in a field that is stored', async () => {
  const row = (id: string, amount: string, more = '') =>
    `{"external_id":"${id}","posted_at":"2026-02-28T10:00:00Z","amount_cents":${amount}${more}}`;
  const balance = (cents: string) => `{"as_of":"2026-02-28","balance_cents":${cents}}`;
  const transactions = [
    row('a', '4503599627370497.5'),
    row('b', '9007199254740993'),
    row('c', '1.00000000000000000001'),
    row('d', '9007199254740991', ',"rate":1.00000000000000000001'),
    row('e', '12.0'),
  ];
  const text = `{"transactions":[${transactions.join()}],"balances":[${balance('4503599627370497.5')},${balance('-7')}]}`;
  const pulled = await pull({ ok: true, text });
  expect(pulled).toMatchObject({
    ok: true,
    page: {
      balances: [{ balance_cents: -7 }],
      transactions: [
        { external_id: 'd', amount_cents: Number.MAX_SAFE_INTEGER },
        { external_id: 'e', amount_cents: 12 },
      ],
      rejections: { count: 4, first: '/balances/0/balance_cents has more digits than can be kept (15 always can).' },
      rejectedTransactions: 3,
    },
  });
});

test.each([
  ['', 'The answer is not valid JSON, or nested too deep.'],
  ['tok_live', 'The answer is not valid JSON, or nested too deep.'],
  ['['.repeat(33) + ']'.repeat(33), 'The answer is not valid JSON, or nested too deep.'],
  ['{"transactions":[{"tok_live":1,"tok_live":2}]}', 'The answer has a key twice in one object.'],
  [
    `{"x":[${Array(5_001).fill('1e999').join()}]}`,
    'The answer has more than 5000 numbers that cannot be kept exactly.',
  ],
])('%j is no page, and what it says is not told', async (text, message) => {
  expect(await pull({ ok: true, text })).toEqual({ ok: false, code: 'provider_answer_invalid', message });
});

test('rows that name another connection are rejected; the provider’s own account names are ignored', async () => {
  const row = { external_id: 'a', posted_at: '2026-01-10T00:00:00Z', amount_cents: 1 };
  const pulled = await page({
    balances: [{ as_of: '2026-02-28', balance_cents: 5, currency: 'USD', connection_id: 'conn_other' }],
    transactions: [{ ...row, connection_id: 'conn_other' }, { ...row, connection_id: 'checking' }, row],
  });
  expect(pulled).toMatchObject({
    ok: true,
    page: {
      balances: [],
      transactions: [{ connection_id: 'checking' }, {}],
      rejections: { count: 2, first: '/balances/0/connection_id names another connection.' },
      rejectedTransactions: 1,
    },
  });
});

test('an empty cursor is the end', async () => {
  expect(await page({ next_cursor: '' })).toMatchObject({ ok: true, page: { next: null } });
});

test('a page that names its own cursor as the next one ends the pull', async () => {
  expect(await page({ next_cursor: 'n2' }, { cursor: 'n2' })).toMatchObject({ ok: false });
});

test.each([
  [{ statusCode: 429, retryAfterMs: 7_000 }, 7_000],
  [{ statusCode: 503, retryAfterMs: 7_000 }, 7_000],
  [{ statusCode: 429 }, 60_000],
  [{ statusCode: 503 }, undefined],
])('%j is to be asked again after %s ms', async (answer, waitMs) => {
  const pulled = await pull({ ok: false, error: 'status', message: 'It went wrong.', ...answer });
  expect(pulled).toMatchObject({ ok: false, waitMs });
});

test.each([
  [{ error: 'status', statusCode: 401 }, 'provider_unauthorized'],
  [{ error: 'status', statusCode: 403 }, 'provider_unauthorized'],
  [{ error: 'status', statusCode: 404 }, 'provider_answer_invalid'],
  [{ error: 'status', statusCode: 302 }, 'provider_answer_invalid'],
  [{ error: 'status', statusCode: 429 }, 'provider_unavailable'],
  [{ error: 'status', statusCode: 503 }, 'provider_unavailable'],
  [{ error: 'timeout' }, 'provider_unavailable'],
  [{ error: 'dns' }, 'provider_unavailable'],
  [{ error: 'too_large' }, 'provider_answer_invalid'],
  [{ error: 'not_text' }, 'provider_answer_invalid'],
  [{ error: 'blocked_address' }, 'provider_address_blocked'],
] as const)('%j is reported as %s', async (rejection, code) => {
  const pulled = await pull({ ok: false, message: 'It went wrong.', ...rejection });
  expect(pulled).toMatchObject({ ok: false, code });
  expect(JSON.stringify(pulled)).not.toContain('token-1');
});
