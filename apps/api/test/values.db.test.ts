// Risk: money or dates change on their way from the request's text to the stored row.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { ApiResponse } from './api-client.ts';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
test('an invalid call of a tRPC batch does not reject the others', async () => {
  const call = (id: string, cents: string): string =>
    `{"company_id":"${fixture.companyId}","as_of":"2026-03-01","connection_id":"${id}","currency":"USD","balance_cents":${cents}}`;
  const response = await fixture.client.send<
    { result?: { data: { balance_cents: number } }; error?: { data: { problem: ApiResponse['problem'] } } }[]
  >('POST', '/trpc/cash.balances.upsert,cash.balances.upsert?batch=1', {
    raw: `{"0":${call('batch-0', '5')},"1":${call('batch-1', '9007199254740993')}}`,
  });
  expect(response.status).toBe(207);
  expect(response.body[0]?.result?.data.balance_cents).toBe(5);
  expect(response.body[1]?.error?.data.problem.errors).toMatchObject([
    { pointer: '/balance_cents', code: 'out_of_range' },
  ]);
});

test.each(['rest', 'trpc'] as const)(
  'over %s the stored amount is the posted one, as PostgreSQL holds it',
  async (protocol) => {
    const company_id = (await fixture.client.rest(operations.companies.create, { name: 'Exact' })).body.id;
    const amounts = ['9007199254740991', '-9007199254740991', '1.5e1', '120E-1', '-0.0'];
    const rows = amounts.map(
      (amount, i) => `{"external_id":"t${i}","posted_at":"2026-03-01T00:00:00Z","amount_cents":${amount}}`,
    );
    const raw = `{"transactions":[${rows.join()}]}`;
    const { ingest } = operations.bank.transactions;
    const { status, body } =
      protocol === 'rest'
        ? await fixture.client.rest(ingest, { company_id }, { raw })
        : await fixture.client.trpc(ingest, {}, { raw: `{"company_id":"${company_id}",${raw.slice(1)}` });
    expect(status).toBeLessThan(300);
    const expected = [9007199254740991, -9007199254740991, 15, 12, 0];
    expect(body.transactions.map(({ amount_cents }) => amount_cents)).toEqual(expected);
    const stored = await fixture.elsewhere.database.query<{ amount: string }>(
      'SELECT amount_cents::text AS amount FROM bank_transaction WHERE company_id = $1 ORDER BY external_id',
      [company_id],
    );
    expect(stored.map(({ amount }) => amount)).toEqual(expected.map(String));
  },
);

test('only existing dates with four-digit years are accepted', async () => {
  const post = (as_of: string) =>
    fixture.client.rest(operations.cash.balances.upsert, {
      company_id: fixture.companyId,
      as_of,
      balance_cents: 1,
      currency: 'USD',
    });
  const none = ['2026-02-29', '2026-13-01', '2026-1-1', '20260101', '0000-01-01', '10000-01-01', '2026-04-31', ''];
  for (const as_of of [...none, '2026-01-01T00:00:00Z'])
    expect((await post(as_of)).problem.errors, as_of).toMatchObject([{ pointer: '/as_of', code: 'invalid_date' }]);
  for (const as_of of ['1972-02-29', '2024-02-29']) expect((await post(as_of)).body.as_of).toBe(as_of);
});

test('a timestamp is stored as its moment in UTC; one without a zone is rejected', async () => {
  const { client, companyId: company_id } = fixture;
  const { ingest, list } = operations.bank.transactions;
  const post = (times: readonly string[], on_error: string) => {
    const transactions = times.map((posted_at) => ({ external_id: `time ${posted_at}`, posted_at, amount_cents: 1 }));
    return client.rest(ingest, { company_id, on_error, transactions });
  };
  const stored: Record<string, string> = {
    '2026-03-01T00:30:00+02:00': '2026-02-28T22:30:00.000Z',
    '2026-03-01T00:30:00-00:00': '2026-03-01T00:30:00.000Z',
    '2026-03-01T00:30:00.123456Z': '2026-03-01T00:30:00.123Z',
    '2026-03-01T00:30:00+23:59': '2026-02-28T00:31:00.000Z',
    '2026-03-01t00:30:00z': '2026-03-01T00:30:00.000Z',
    '2026-03-01T00:30Z': '2026-03-01T00:30:00.000Z',
    '2026-03-01t00:30+02:00': '2026-02-28T22:30:00.000Z',
    '2026-03-01T00:30:00.5+0200': '2026-02-28T22:30:00.500Z',
  };
  const { body } = await post(Object.keys(stored), 'reject');
  expect(body.transactions.map(({ posted_at }) => posted_at)).toEqual(Object.values(stored));
  const without = ['2026-03-01T00:30:00', '2026-03-01', '2026-03-01t00:30'];
  const invalid = ['2026-02-30', '2026-02-30T00:00:00', '2026-03-01T23:59:60Z', '2026-02-30T00:00:00Z'];
  const beyond = ['2026-03-01T24:00:00Z', '2026-03-01T00:00:00+24:00', '1772323200'];
  const rejected = await post([...without, ...invalid, ...beyond], 'skip');
  expect(rejected.body.errors.map(({ code }) => code)).toEqual([
    ...without.map(() => 'timezone_required'),
    ...[...invalid, ...beyond].map(() => 'invalid_date'),
  ]);
  const filter = { posted_from: '2026-03-01t00:30z', posted_to: '2026-03-01T02:30:00.001+0200' };
  const { data } = (await client.rest(list, { company_id, ...filter })).body;
  expect(new Set(data.map(({ posted_at }) => posted_at))).toEqual(new Set(['2026-03-01T00:30:00.000Z']));
});

test('currencies are ISO 4217 codes in any case, stored in upper case', async () => {
  const post = (currency: string) =>
    fixture.client.rest(operations.cash.balances.upsert, {
      company_id: fixture.companyId,
      as_of: '2026-03-02',
      balance_cents: 1,
      currency,
    });
  expect((await post('usd')).body.currency).toBe('USD');
  for (const code of ['XXX', 'ABC', 'US', 'USD ', 'ＵＳＤ', 'u\u017fd', '']) {
    expect((await post(code)).problem.errors, code).toMatchObject([{ pointer: '/currency', code: 'currency_unknown' }]);
  }
});
